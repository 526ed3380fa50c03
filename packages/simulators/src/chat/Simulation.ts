import { Effect, Schema } from "effect"
import { hash } from "node:crypto"
import { Refused } from "./checks.ts"
import { type CheckedMessage, checkMessage } from "./checkMessage.ts"
import { type Refusal, refusal } from "./failures.ts"
import type { Misbehaviour } from "./Misbehaviour.ts"
import type { ChatSimulatorOptions, SimulatedNumber } from "./Options.ts"
import type { Outbox } from "./Outbox.ts"
import type { Timeline } from "../Timeline.ts"
import { Traffic } from "./Traffic.ts"
import type { AcceptedMessage, Customer, KeptFile, KeptTemplate, World } from "./World.ts"

const hour = 3_600_000
const serviceWindow = 24 * hour
const advertisementWindow = 72 * hour

/** What a customer writes. */
export const CustomerMessage = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  Schema.Struct({
    type: Schema.Literals(["image", "video", "audio", "document", "sticker"]),
    /** The bytes of the file, in base64. */
    data: Schema.String,
    mimeType: Schema.String,
    caption: Schema.optionalKey(Schema.String),
    filename: Schema.optionalKey(Schema.String)
  }),
  /** A quick reply of a template was tapped. */
  Schema.Struct({ type: Schema.Literal("button"), text: Schema.String, payload: Schema.String }),
  /** A button or a row of an interactive message was tapped. */
  Schema.Struct({
    type: Schema.Literal("interactive"),
    reply: Schema.Literals(["button_reply", "list_reply"]),
    id: Schema.String,
    title: Schema.String
  }),
  Schema.Struct({ type: Schema.Literal("reaction"), to: Schema.String, emoji: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("location"),
    latitude: Schema.Finite,
    longitude: Schema.Finite,
    name: Schema.optionalKey(Schema.String)
  }),
  /** Products of the catalogue. Prices are in whole currency units, as the provider reports them. */
  Schema.Struct({
    type: Schema.Literal("order"),
    catalogId: Schema.String,
    text: Schema.optionalKey(Schema.String),
    items: Schema.Array(
      Schema.Struct({
        productId: Schema.String,
        quantity: Schema.Int,
        price: Schema.Finite,
        currency: Schema.String
      })
    )
  }),
  /** A message that was sent before says something else now. */
  Schema.Struct({ type: Schema.Literal("edit"), of: Schema.String, text: Schema.String }),
  /** A message that was sent before is taken back. */
  Schema.Struct({ type: Schema.Literal("revoke"), of: Schema.String }),
  /** An unknown future type with its content. */
  Schema.Struct({ type: Schema.Literal("raw"), message: Schema.Record(Schema.String, Schema.Unknown) })
])
export type CustomerMessage = typeof CustomerMessage.Type

/** Metadata of a customer message, in addition to its content. */
export interface Writing {
  readonly replyTo?: string
  readonly fromAdvertisement?: boolean
  /** Additional fields of the advertisement referral. */
  readonly referral?: Readonly<Record<string, unknown>>
}

const pricingOf = (category: string | undefined) => ({
  billable: true,
  pricing_model: "PMP",
  category: category?.toLowerCase() ?? "service",
  type: "regular"
})

/** Behaviour of the simulated provider, shared by all its interfaces. */
export const makeSimulation = (world: World, timeline: Timeline, outbox: Outbox, options: ChatSimulatorOptions) => {
  const delays = { sent: 50, delivered: 200, read: 800, ...options.receipts }
  const perSecond = options.throughputPerSecond ?? 80
  const pairMillis = options.pairMillis ?? 6_000
  const reviewMillis = options.reviewMillis === undefined ? 1_000 : options.reviewMillis
  const asReceipt = options.refusals === "receipt"
  const seconds = () => String(Math.floor(timeline.now() / 1_000))
  const newMessageId = () => {
    const id = `wamid.${Buffer.from(`${options.idPrefix ?? "SIM"}${String(world.next()).padStart(12, "0")}`).toString("base64url")}`
    world.messageIds.add(id)
    return id
  }

  const metadataOf = ({ displayPhone, phoneId }: SimulatedNumber) => ({
    display_phone_number: displayPhone,
    phone_number_id: phoneId
  })

  const contactOf = (customer: Customer) => ({
    profile: { name: customer.name },
    ...(customer.phone === null ? {} : { wa_id: customer.phone }),
    user_id: customer.userId
  })

  const tellMessages = (number: SimulatedNumber, value: object) =>
    outbox.tell({
      businessId: number.businessId,
      field: "messages",
      value: { messaging_product: "whatsapp", metadata: metadataOf(number), ...value }
    })

  const trafficOf = (phoneId: string): Traffic => {
    const traffic = world.traffic.get(phoneId) ?? new Traffic()
    world.traffic.set(phoneId, traffic)
    return traffic
  }

  const customerOf = (to: CheckedMessage["to"]): Customer | undefined =>
    "phone" in to ? world.addCustomer(to.phone) : world.findCustomer(to.userId)

  const rateRefusal = (number: SimulatedNumber, customer: Customer): Refusal | null => {
    if (trafficOf(number.phoneId).count(timeline.now()) >= perSecond) {
      return refusal(130_429, "Cloud API message throughput has been reached.")
    }
    const last = customer.writtenAt.get(number.phoneId)
    return last !== undefined && timeline.now() - last < pairMillis
      ? refusal(131_056, "Too many messages sent from this phone number to the same phone number in a short time.")
      : null
  }

  const recipientRefusal = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    { template, type }: CheckedMessage
  ): Refusal | null => {
    if (customer?.reachable !== true) return refusal(131_026, "Message undeliverable.")
    if (template === null && type !== "reaction" && (customer.windows.get(number.phoneId) ?? 0) <= timeline.now()) {
      return refusal(
        131_047,
        "Message failed to send because more than 24 hours have passed since the customer last replied to this number."
      )
    }
    return template?.category === "MARKETING" && customer.stopped.has(number.phoneId)
      ? refusal(131_050, "This user has chosen to stop receiving marketing messages from your business.")
      : null
  }

  const tellReceipt = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    message: AcceptedMessage,
    status: string,
    details: object
  ) =>
    tellMessages(number, {
      ...(customer === undefined ? {} : { contacts: [contactOf(customer)] }),
      statuses: [
        {
          id: message.id,
          status,
          timestamp: seconds(),
          ...(customer?.phone == null ? {} : { recipient_id: customer.phone }),
          ...(customer === undefined ? {} : { recipient_user_id: customer.userId }),
          ...(message.reference === null ? {} : { biz_opaque_callback_data: message.reference }),
          ...details
        }
      ]
    })

  const fail = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    message: AcceptedMessage,
    { code, details, message: title }: Refusal
  ) =>
    timeline.after(
      delays.sent,
      Effect.sync(() =>
        tellReceipt(number, customer, message, "failed", {
          errors: [{ code, title, message: title, error_data: { details } }]
        })
      )
    )

  const answerByItself = (number: SimulatedNumber, customer: Customer, text: string) => {
    const rule = options.autoReplies?.find(
      ({ contains }) => contains === undefined || text.toLowerCase().includes(contains.toLowerCase())
    )
    if (rule === undefined) return
    timeline.after(
      rule.afterMillis ?? 400,
      Effect.sync(() => write(number, customer, { type: "text", text: rule.reply }))
    )
  }

  const succeed = (number: SimulatedNumber, customer: Customer, message: AcceptedMessage, checked: CheckedMessage) => {
    const pricing = { pricing: pricingOf(checked.template?.category) }
    const inTime = (millis: number, status: string, details: object) =>
      timeline.after(
        millis,
        Effect.sync(() => tellReceipt(number, customer, message, status, details))
      )
    inTime(delays.sent, "sent", {
      conversation: { id: `c${message.id.slice(6)}`, origin: { type: pricing.pricing.category } },
      ...pricing
    })
    inTime(delays.delivered, "delivered", pricing)
    if (delays.read === null) return
    inTime(delays.read, "read", {})
    timeline.after(
      delays.read,
      Effect.sync(() => answerByItself(number, customer, checked.text))
    )
  }

  const check = (number: SimulatedNumber, payload: unknown): CheckedMessage | Refusal => {
    try {
      return checkMessage(payload, {
        hasFile: (id) => world.files.get(id)?.phoneId === number.phoneId,
        hasMessage: (id) => world.messageIds.has(id),
        template: (name, language) => world.templates.get(JSON.stringify([number.businessId, name, language]))
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
      details: why.details,
      payload
    })
    return why
  }

  const accept = (number: SimulatedNumber, payload: unknown, checked: CheckedMessage) => {
    const message: AcceptedMessage = {
      id: newMessageId(),
      at: timeline.now(),
      phoneId: number.phoneId,
      businessId: number.businessId,
      to: "phone" in checked.to ? checked.to.phone : checked.to.userId,
      type: checked.type,
      reference: checked.reference,
      payload
    }
    world.accepted.push(message)
    trafficOf(number.phoneId).add(message.at)
    return message
  }

  const answerTo = (message: AcceptedMessage, checked: CheckedMessage, held: boolean) => ({
    messaging_product: "whatsapp",
    contacts: [
      "phone" in checked.to
        ? { input: checked.to.phone, wa_id: checked.to.phone }
        : { input: checked.to.userId, user_id: checked.to.userId }
    ],
    messages: [
      {
        id: message.id,
        ...(checked.template === null ? {} : { message_status: held ? "held_for_quality_assessment" : "accepted" })
      }
    ]
  })

  /** Records a submitted message, regardless of its outcome. */
  const noteCall = (number: SimulatedNumber, payload: unknown, scripted: Misbehaviour["what"] | null) => {
    const reference: unknown =
      typeof payload === "object" && payload !== null ? Reflect.get(payload, "biz_opaque_callback_data") : null
    world.calls.push({
      at: timeline.now(),
      phoneId: number.phoneId,
      reference: typeof reference === "string" ? reference : null,
      scripted
    })
  }

  /** Takes a message, or says why not. */
  const send = (number: SimulatedNumber, payload: unknown, oddity: Misbehaviour["what"] | null): object | Refusal => {
    const checked = check(number, payload)
    if ("status" in checked) return refuse(number, payload, checked)
    const customer = customerOf(checked.to)
    const tooFast = customer === undefined ? null : rateRefusal(number, customer)
    if (tooFast !== null) return refuse(number, payload, tooFast)
    const unfit = recipientRefusal(number, customer, checked)
    if (unfit !== null && !asReceipt) return refuse(number, payload, unfit)
    const message = accept(number, payload, checked)
    customer?.writtenAt.set(number.phoneId, message.at)
    const scripted = oddity?.kind === "fail_receipt" ? refusal(oddity.code, "This was asked for.") : null
    const failure = scripted ?? unfit
    if (failure !== null) fail(number, customer, message, failure)
    else if (customer !== undefined && oddity?.kind !== "no_receipts") succeed(number, customer, message, checked)
    return answerTo(message, checked, oddity?.kind === "held")
  }

  const keepFile = (
    number: SimulatedNumber,
    bytes: Uint8Array,
    mimeType: string,
    filename: string | null
  ): KeptFile => {
    const file = {
      id: String(400_000_000_000_000 + world.next()),
      phoneId: number.phoneId,
      mimeType,
      filename,
      bytes,
      sha256: hash("sha256", bytes, "base64")
    }
    world.files.set(file.id, file)
    return file
  }

  const contentOf = (number: SimulatedNumber, message: CustomerMessage): Readonly<Record<string, unknown>> => {
    switch (message.type) {
      case "text":
        return { type: "text", text: { body: message.text } }
      case "button":
        return { type: "button", button: { text: message.text, payload: message.payload } }
      case "interactive":
        return {
          type: "interactive",
          interactive: { type: message.reply, [message.reply]: { id: message.id, title: message.title } }
        }
      case "reaction":
        return { type: "reaction", reaction: { message_id: message.to, emoji: message.emoji } }
      case "location": {
        const { latitude, longitude, name } = message
        return { type: "location", location: { latitude, longitude, ...(name === undefined ? {} : { name }) } }
      }
      case "order": {
        const { catalogId, items, text } = message
        return {
          type: "order",
          order: {
            catalog_id: catalogId,
            ...(text === undefined ? {} : { text }),
            product_items: items.map(({ currency, price, productId, quantity }) => ({
              product_retailer_id: productId,
              quantity,
              item_price: price,
              currency
            }))
          }
        }
      }
      case "edit": {
        const edited = { type: "text", text: { body: message.text } }
        return { type: "edit", edit: { original_message_id: message.of, message: edited } }
      }
      case "revoke":
        return { type: "revoke", revoke: { original_message_id: message.of } }
      case "raw":
        return message.message
      default: {
        const { caption, data, filename, mimeType, type } = message
        const file = keepFile(number, Buffer.from(data, "base64"), mimeType, filename ?? null)
        return {
          type,
          [type]: {
            id: file.id,
            mime_type: mimeType,
            sha256: file.sha256,
            ...(caption === undefined ? {} : { caption }),
            ...(filename === undefined ? {} : { filename })
          }
        }
      }
    }
  }

  /** Has a customer write to a number, which opens its window. */
  const write = (
    number: SimulatedNumber,
    customer: Customer,
    message: CustomerMessage,
    { fromAdvertisement = false, referral, replyTo }: Writing = {}
  ): string => {
    const id = newMessageId()
    if (message.type !== "edit" && message.type !== "revoke") {
      const closes = timeline.now() + (fromAdvertisement ? advertisementWindow : serviceWindow)
      customer.windows.set(number.phoneId, Math.max(closes, customer.windows.get(number.phoneId) ?? 0))
    }
    trafficOf(number.phoneId).add(timeline.now())
    tellMessages(number, {
      contacts: [contactOf(customer)],
      messages: [
        {
          ...(customer.phone === null ? {} : { from: customer.phone }),
          from_user_id: customer.userId,
          id,
          timestamp: seconds(),
          ...contentOf(number, message),
          ...(replyTo === undefined ? {} : { context: { from: number.displayPhone, id: replyTo } }),
          ...(fromAdvertisement
            ? {
                referral: {
                  source_type: "ad",
                  source_id: "120200000000000000",
                  source_url: "https://fb.me/parley",
                  headline: "Fresh bread",
                  ctwa_clid: `clid${world.next()}`,
                  ...referral
                }
              }
            : {})
        }
      ]
    })
    return id
  }

  /** Sends a message from the business to a customer through the provider's own app, not through this API. */
  const echo = (number: SimulatedNumber, customer: Customer, message: CustomerMessage): string => {
    const id = newMessageId()
    outbox.tell({
      businessId: number.businessId,
      field: "smb_message_echoes",
      value: {
        messaging_product: "whatsapp",
        metadata: metadataOf(number),
        contacts: [contactOf(customer)],
        message_echoes: [
          {
            from: number.displayPhone,
            ...(customer.phone === null ? {} : { to: customer.phone }),
            to_user_id: customer.userId,
            id,
            timestamp: seconds(),
            ...contentOf(number, message)
          }
        ]
      }
    })
    return id
  }

  /** Has a customer stop, or resume, the marketing of a number. */
  const prefer = (number: SimulatedNumber, customer: Customer, value: "stop" | "resume") => {
    if (value === "stop") customer.stopped.add(number.phoneId)
    else customer.stopped.delete(number.phoneId)
    outbox.tell({
      businessId: number.businessId,
      field: "user_preferences",
      value: {
        messaging_product: "whatsapp",
        metadata: metadataOf(number),
        contacts: [contactOf(customer)],
        user_preferences: [
          {
            ...(customer.phone === null ? {} : { wa_id: customer.phone }),
            user_id: customer.userId,
            detail: `User requested to ${value} marketing messages`,
            category: "marketing_messages",
            value,
            timestamp: Math.floor(timeline.now() / 1_000)
          }
        ]
      }
    })
  }

  /** Decides about a template. */
  const decide = (template: KeptTemplate, event: string, reason: string) => {
    template.status = event
    template.rejectedReason = reason
    outbox.tell({
      businessId: template.businessId,
      field: "message_template_status_update",
      value: {
        event,
        message_template_id: Number(template.id),
        message_template_name: template.name,
        message_template_language: template.language,
        message_template_category: template.category,
        reason
      }
    })
  }

  /** Keeps a template, which is looked at after a while. */
  const keepTemplate = (template: Omit<KeptTemplate, "id" | "status" | "rejectedReason" | "quality">) => {
    const kept: KeptTemplate = {
      ...template,
      id: String(500_000_000_000_000 + world.next()),
      status: "PENDING",
      rejectedReason: "NONE",
      quality: "UNKNOWN"
    }
    world.templates.set(JSON.stringify([kept.businessId, kept.name, kept.language]), kept)
    if (reviewMillis !== null) {
      timeline.after(
        reviewMillis,
        Effect.sync(() => {
          if (kept.status === "PENDING") decide(kept, "APPROVED", "NONE")
        })
      )
    }
    return kept
  }

  return { noteCall, send, write, echo, prefer, decide, keepTemplate, keepFile }
}
export type Simulation = ReturnType<typeof makeSimulation>
