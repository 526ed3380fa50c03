import { Effect, Struct } from "effect"
import type { Timeline } from "../Timeline.ts"
import { makeEvents } from "./events.ts"
import { makeFiles } from "./files.ts"
import { makeAgents } from "./inbound/agents.ts"
import { makeCalls } from "./inbound/calls.ts"
import { makeCoexistence } from "./inbound/coexistence.ts"
import { makeContent } from "./inbound/content.ts"
import { makeGroups } from "./inbound/groups.ts"
import { makeIdentities } from "./inbound/identities.ts"
import { makeWriting } from "./inbound/writing.ts"
import type { ChatSimulatorOptions, SimulatedNumber } from "./Options.ts"
import type { Outbox } from "./Outbox.ts"
import { makeReceipts } from "./sending/receipts.ts"
import { makeSending } from "./sending/sending.ts"
import { makeTemplateLife } from "./templates/life.ts"
import { contactOf, tellOfNumber } from "./values.ts"
import { webhookError } from "./errorCodes.ts"
import { checksIdentity } from "./world/NumberState.ts"
import type { Customer, World } from "./World.ts"

export interface PaymentReport {
  readonly messageId: string
  readonly reference: string
  readonly status: "captured" | "pending" | "failed"
  /** Amount in hundredths. */
  readonly value: number
}

/** Behaviour of the simulated provider, shared by all its interfaces. */
export const makeSimulation = (
  world: World,
  timeline: Timeline,
  outbox: Outbox,
  options: ChatSimulatorOptions,
  addressOf: (fileId: string) => string
) => {
  const tell = tellOfNumber(outbox)
  const events = makeEvents(world, timeline, outbox)
  const files = makeFiles(world, timeline)
  const life = makeTemplateLife(world, timeline, outbox, options)
  const receipts = makeReceipts(timeline, tell, (number) => checksIdentity(world.stateOf(number)), options)
  const sending = makeSending(world, timeline, files, life, receipts, options)
  const contentOf = makeContent(files, world, timeline.now, addressOf)
  const writing = makeWriting(world, timeline, tell, contentOf, sending)

  sending.whenRead((number, customer, text) => {
    const rule = options.autoReplies?.find(
      ({ contains }) => contains === undefined || text.toLowerCase().includes(contains.toLowerCase())
    )
    if (rule === undefined) return
    timeline.after(
      rule.afterMillis ?? 400,
      Effect.sync(() => writing.write(number, customer, { type: "text", text: rule.reply }))
    )
  })

  return {
    events,
    files,
    life,
    sending,
    writing,
    agents: makeAgents(timeline, tell, outbox, sending),
    calls: makeCalls(world, timeline, tell),
    coexistence: makeCoexistence(timeline, tell),
    groups: makeGroups(world, timeline, tell),
    identities: makeIdentities(world, writing),
    /** Stops, or resumes, the marketing of a number to a customer. */
    prefer: (number: SimulatedNumber, customer: Customer, value: "stop" | "resume") => {
      if (value === "stop") customer.stopped.add(number.phoneId)
      else customer.stopped.delete(number.phoneId)
      tell(number, "user_preferences", {
        contacts: [
          customer.phone === null
            ? contactOf(customer)
            : Struct.omit(contactOf(customer), ["user_id", "parent_user_id"])
        ],
        user_preferences: [
          {
            ...(customer.phone === null ? {} : { wa_id: customer.phone }),
            user_id: customer.userId,
            ...(customer.parentUserId === null ? {} : { parent_user_id: customer.parentUserId }),
            detail: `User requested to ${value} marketing messages`,
            category: "marketing_messages",
            value,
            timestamp: Math.floor(timeline.now() / 1_000)
          }
        ]
      })
    },
    /** Reports the state of a payment. */
    payment: (number: SimulatedNumber, customer: Customer, { messageId, reference, status, value }: PaymentReport) =>
      tell(number, "messages", {
        statuses: [
          {
            id: messageId,
            type: "payment",
            status,
            payment: {
              reference_id: reference,
              amount: { value, offset: 100 },
              currency: "INR",
              transaction: {
                id: `order_${world.next()}`,
                type: "razorpay",
                status: status === "captured" ? "success" : status,
                created_timestamp: Math.floor(timeline.now() / 1_000),
                updated_timestamp: Math.floor(timeline.now() / 1_000)
              }
            },
            timestamp: String(Math.floor(timeline.now() / 1_000)),
            ...(customer.phone === null ? {} : { recipient_id: customer.phone })
          }
        ]
      }),
    /** Reports an error of the number without a message. */
    valueError: (number: SimulatedNumber, code: number, details: string) =>
      tell(number, "messages", { errors: [webhookError(code, details)] })
  }
}
export type Simulation = ReturnType<typeof makeSimulation>
