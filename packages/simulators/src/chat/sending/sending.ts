import type { Timeline } from "../../Timeline.ts"
import { Refused, refuse as refuseCall } from "../checks.ts"
import { type Refusal, refusal } from "../failures.ts"
import type { Files } from "../files.ts"
import { throughputOf } from "../world/NumberState.ts"
import { checkMessage } from "../messages/checkMessage.ts"
import type { CheckedMessage, Known } from "../messages/Known.ts"
import { asksForCalls, countRequest, disabledRefusal, requestRefusal } from "../inbound/callLimits.ts"
import type { Misbehaviour } from "../Misbehaviour.ts"
import type { ChatSimulatorOptions, SimulatedNumber } from "../Options.ts"
import { type TemplateLife, templateKey } from "../templates/life.ts"
import { Traffic } from "../Traffic.ts"
import type { AcceptedMessage, Customer, World } from "../World.ts"
import { answerTo } from "./answer.ts"
import { makeConditions } from "./conditions.ts"
import { PairRate } from "./PairRate.ts"
import { pricingOf } from "./pricing.ts"
import type { Receipts } from "./receipts.ts"
import { waIdOf } from "./recipients.ts"

const day = 24 * 3_600_000
const freeEntryPoint = 3 * day

type Fault = Misbehaviour["what"] | null
type Api = Known["api"]

interface Sent {
  readonly number: SimulatedNumber
  readonly customer: Customer
  readonly message: AcceptedMessage
  readonly checked: CheckedMessage
  readonly api: Api
  readonly isInWindow: boolean
}

/** Takes messages of a business, and reports their states. */
export const makeSending = (
  world: World,
  timeline: Timeline,
  files: Files,
  life: TemplateLife,
  receipts: Receipts,
  options: ChatSimulatorOptions
) => {
  const pairMillis = options.pairMillis ?? 6_000
  const conditions = makeConditions(world, timeline, options)
  let onRead: (number: SimulatedNumber, customer: Customer, text: string) => void = () => undefined

  const newMessageId = (isReaction: boolean, isInbound = false) => {
    const text = `${options.idPrefix ?? "SIM"}${String(world.next()).padStart(12, "0")}`
    const id = `wamid.${Buffer.from(text).toString("base64url")}`
    world.messageIds.set(id, { at: timeline.now(), isReaction, isInbound })
    return id
  }

  const trafficOf = (phoneId: string): Traffic => {
    const traffic = world.traffic.get(phoneId) ?? new Traffic()
    world.traffic.set(phoneId, traffic)
    return traffic
  }

  const customerOf = (to: CheckedMessage["to"]): Customer | undefined => {
    if (to.kind === "user") return world.findCustomer(to.userId)
    if (to.kind === "group") return undefined
    return world.findCustomer(to.phone) ?? world.findCustomer(waIdOf(to.phone)) ?? world.addCustomer(waIdOf(to.phone))
  }

  const rateRefusal = (number: SimulatedNumber, customer: Customer | undefined): Refusal | null => {
    const now = timeline.now()
    const perSecond = options.throughputPerSecond ?? throughputOf(world.stateOf(number))
    if (trafficOf(number.phoneId).count(now) >= perSecond) {
      return refusal(130_429, "Cloud API message throughput has been reached.")
    }
    if (customer === undefined || pairMillis === 0) return null
    const pace = customer.paces.get(number.phoneId) ?? new PairRate()
    customer.paces.set(number.phoneId, pace)
    return pace.take(now, pairMillis)
      ? null
      : refusal(131_056, "Too many messages sent from this phone number to the same phone number in a short time.")
  }

  /** The account whose templates a message uses: a number can belong to several. */
  const accountOf = ({ businessId, otherBusinessIds = [] }: SimulatedNumber, payload: unknown): string => {
    const fields = typeof payload === "object" && payload !== null ? payload : {}
    const named: unknown =
      Reflect.get(fields, "messaging_account_id") ?? Reflect.get(fields, "paid_messaging_account_id") ?? businessId
    const account = [businessId, ...otherBusinessIds].find((id) => id === named)
    return account ?? refuseCall(100, "The number does not belong to the account of messaging_account_id.")
  }

  const check = (number: SimulatedNumber, payload: unknown, api: Api): CheckedMessage | Refusal => {
    try {
      const businessId = accountOf(number, payload)
      return checkMessage(payload, {
        businessPhone: number.displayPhone,
        now: timeline.now(),
        api,
        isForGroup: false,
        hasCatalog: world.accountOf(businessId, false).hasCatalog,
        file: (id) => files.find(number, id),
        message: (id) => world.messageIds.get(id),
        template: (name, language) => world.templates.get(templateKey(businessId, name, language))
      })
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.refusal
      throw thrown
    }
  }

  const refuse = (number: SimulatedNumber, payload: unknown, why: Refusal): Refusal => {
    world.refused.push({
      at: timeline.now(),
      phoneId: number.phoneId,
      code: why.code,
      details: why.details ?? why.message,
      payload
    })
    return why
  }

  const ttlOf = ({ template }: CheckedMessage): number => {
    const seconds = template?.sendTtlSeconds ?? null
    if (seconds !== null && seconds > 0) return seconds * 1_000
    return template?.category === "AUTHENTICATION" && seconds === null ? 600_000 : 30 * day
  }

  const accept = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    payload: unknown,
    checked: CheckedMessage
  ) => {
    const { to } = checked
    const message: AcceptedMessage = {
      id: newMessageId(checked.type === "reaction"),
      at: timeline.now(),
      phoneId: number.phoneId,
      businessId: number.businessId,
      to: to.kind === "phone" ? (customer?.phone ?? to.phone) : to.kind === "user" ? to.userId : to.groupId,
      type: checked.type,
      reference: checked.reference,
      payload,
      groupId: to.kind === "group" ? to.groupId : null,
      ttlMillis: ttlOf(checked)
    }
    world.accepted.push(message)
    trafficOf(number.phoneId).add(message.at)
    return message
  }

  /** The free entry point of a customer. The first reply within a day of the advertisement starts it. */
  const entryPointOf = (number: SimulatedNumber, customer: Customer): number | null => {
    const entry = customer.entryPoints.get(number.phoneId)
    if (entry === undefined) return null
    const now = timeline.now()
    if (entry.until === null && now - entry.at <= day) entry.until = now + freeEntryPoint
    return entry.until !== null && entry.until > now ? entry.until : null
  }

  const succeed = ({ api, checked, customer, isInWindow, message, number }: Sent) => {
    const entryPoint = entryPointOf(number, customer)
    const pricing = pricingOf({
      now: timeline.now(),
      template: checked.template,
      api,
      isInWindow,
      isFreeEntryPoint: entryPoint !== null,
      isInternational: conditions.isInternational(number, customer)
    })
    const conversation =
      entryPoint === null
        ? null
        : { id: `c${message.id.slice(6)}`, expiresAt: entryPoint, origin: "referral_conversion" }
    if (checked.template?.category === "MARKETING") {
      customer.marketingTimes = [...customer.marketingTimes.filter((at) => at > timeline.now() - day), timeline.now()]
    }
    receipts.succeed(
      number,
      customer,
      message,
      { pricing, conversation, isReaction: checked.type === "reaction", isVoice: checked.isVoice },
      () => onRead(number, customer, checked.text)
    )
  }

  const sendToGroup = (number: SimulatedNumber, message: AcceptedMessage) =>
    receipts.succeedInGroup(number, [...(world.groups.get(message.groupId ?? "")?.participants ?? [])], message)

  const deliver = (sent: Sent, fault: Fault) => {
    const { customer, message, number } = sent
    const { template } = sent.checked
    const failPaused = () => receipts.fail(number, customer, message, refusal(132_015, "The template is paused."))
    if (fault?.kind === "paused") failPaused()
    else if (fault?.kind === "held" && template !== null) {
      life.hold(template, { release: () => succeed(sent), fail: failPaused })
    } else if (fault?.kind !== "no_receipts") succeed(sent)
  }

  /** Takes a message, or says why not. */
  const send = (number: SimulatedNumber, payload: unknown, fault: Fault, api: Api = "cloud"): object | Refusal => {
    const unable = conditions.senderRefusal(number)
    if (unable !== null) return refuse(number, payload, unable)
    const checked = check(number, payload, api)
    if ("status" in checked) return refuse(number, payload, checked)
    const customer = customerOf(checked.to)
    const caller = customer !== undefined && asksForCalls(payload, checked.template) ? customer : null
    const early =
      conditions.earlyRefusal(number, customer, checked, api) ??
      (caller === null
        ? null
        : (disabledRefusal(world.stateOf(number)) ?? requestRefusal(caller, number, timeline.now()))) ??
      rateRefusal(number, customer)
    if (early !== null) return refuse(number, payload, early)
    const late = conditions.lateRefusal(number, customer, checked) ?? checked.lateFailure
    if (late !== null && options.refusals === "answer") return refuse(number, payload, late)
    const isInWindow = customer !== undefined && conditions.isInWindow(number, customer)
    const message = accept(number, customer, payload, checked)
    if (customer !== undefined) conditions.countInitiated(number, customer, isInWindow)
    customer?.heldBy.delete(number.phoneId)
    if (caller !== null) countRequest(caller, number, timeline.now())
    const scripted = fault?.kind === "fail_receipt" ? refusal(fault.code, "This was asked for.") : null
    const failure = scripted ?? late
    if (failure !== null) receipts.fail(number, customer, message, failure)
    else if (customer === undefined) sendToGroup(number, message)
    else deliver({ number, customer, message, checked, api, isInWindow }, fault)
    return answerTo(message, checked, fault)
  }

  /** Records a submitted message, regardless of its outcome. */
  const noteCall = (number: SimulatedNumber, payload: unknown, scripted: Fault) => {
    const reference: unknown =
      typeof payload === "object" && payload !== null ? Reflect.get(payload, "biz_opaque_callback_data") : null
    world.calls.push({
      at: timeline.now(),
      phoneId: number.phoneId,
      reference: typeof reference === "string" ? reference : null,
      scripted
    })
  }

  return {
    send,
    noteCall,
    newMessageId,
    countTraffic: (number: SimulatedNumber) => trafficOf(number.phoneId).add(timeline.now()),
    /** Registers the reaction of customers to messages that they have read. */
    whenRead: (react: typeof onRead) => {
      onRead = react
    }
  }
}
export type Sending = ReturnType<typeof makeSending>
