import type { DeliveryPart, InboundEvent, ReceiptStatus } from "@parley/domain/messaging"
import { type DateTime, Option, Schema } from "effect"
import { at, parsed, storableText, textAt } from "../../json.ts"

const utf8 = new TextDecoder()

const utf8Out = new TextEncoder()

/** Adds the account to a delivery, which does not contain it. */
const addressedTo = (account: string, delivery: unknown) => utf8Out.encode(JSON.stringify({ account, delivery }))

const timeOf = Schema.decodeUnknownOption(Schema.DateTimeUtcFromString)

const timeAt = (value: unknown): DateTime.Utc | null => Option.getOrNull(timeOf(textAt(value, "timestamp")))

const id = /^[\x21-\x7e]{1,200}$/u

const idAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = textAt(value, ...path)
  return found !== null && id.test(found) ? found : null
}

const deliveryIn = (body: Uint8Array): unknown => {
  const delivery = parsed(utf8.decode(body))
  return textAt(delivery, "type") === null || timeAt(delivery) === null ? undefined : delivery
}

const unknown = (account: string, field: string): InboundEvent => ({
  kind: "unknown",
  businessId: account,
  phoneId: account,
  field
})

const messageIn = (account: string, delivery: unknown): InboundEvent | null => {
  const messageId = idAt(delivery, "data", "id")
  const sentAt = timeAt(delivery)
  const text = textAt(delivery, "data", "text")
  const from = at(delivery, "data", "from")
  const [externalId, phone] = [textAt(from, "externalId"), textAt(from, "phone")]
  if (messageId === null || sentAt === null || text === null || (externalId === null && phone === null)) return null
  return {
    kind: "message",
    phoneId: account,
    id: messageId,
    at: sentAt,
    from: { phone, chatUser: null, ...(externalId !== null && { external: externalId }), name: textAt(from, "name") },
    content: { kind: "text", text },
    replyTo: idAt(delivery, "data", "replyTo"),
    fromAdvertisement: false
  }
}

const statuses: ReadonlyMap<string, ReceiptStatus> = new Map([
  ["delivered", "delivered"],
  ["read", "read"],
  ["failed", "failed"]
])

const receiptIn = (account: string, delivery: unknown): InboundEvent | null => {
  const messageId = idAt(delivery, "data", "id")
  const toldAt = timeAt(delivery)
  const status = statuses.get(textAt(delivery, "data", "status") ?? "")
  if (messageId === null || toldAt === null || status === undefined) return null
  const reason = textAt(delivery, "data", "reason") ?? "The receiver gave no reason."
  return {
    kind: "receipt",
    phoneId: account,
    id: messageId,
    at: toldAt,
    status,
    to: { phone: null, chatUser: null },
    reference: messageId,
    error: status === "failed" ? { code: 0, reason: storableText(reason, 500), remedy: "give_up" } : null
  }
}

const eventIn = (account: string, delivery: unknown): InboundEvent => {
  const type = textAt(delivery, "type") ?? "none"
  switch (type) {
    case "message.received":
      return messageIn(account, delivery) ?? unknown(account, type)
    case "message.status":
      return receiptIn(account, delivery) ?? unknown(account, type)
    default:
      return unknown(account, type)
  }
}

/** Reads a request with the account of its URL. */
export const partsOfDelivery = (body: Uint8Array, to: string | null): ReadonlyArray<DeliveryPart> | null => {
  const delivery = deliveryIn(body)
  if (delivery === undefined || to === null) return null
  const event = eventIn(to, delivery)
  // Unknown kinds are stored. Known kinds must be complete.
  if (event.kind === "unknown" && event.field.startsWith("message.")) return null
  return [{ businessId: to, phoneId: to, body: addressedTo(to, delivery) }]
}

/** Reads a delivery with a known account. */
export const readDelivery = (body: Uint8Array): ReadonlyArray<InboundEvent> | null => {
  const kept = parsed(utf8.decode(body))
  const account = textAt(kept, "account")
  const delivery = at(kept, "delivery")
  return account === null || textAt(delivery, "type") === null ? null : [eventIn(account, delivery)]
}
