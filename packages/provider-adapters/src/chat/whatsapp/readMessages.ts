import type { InboundEvent, Sender } from "@parley/domain"
import { DateTime, Option } from "effect"
import { at, idAt, listAt, numberAt, textAt } from "../../json.ts"
import { preferenceValues, readStatuses } from "./assumptions.ts"
import { remedyOf } from "./errorTable.ts"
import { contentIn, rawIn } from "./readContent.ts"
import { phoneIn, pricingIn, referralIn } from "./readDetails.ts"
import { reasonOf } from "./refusals.ts"

/** Place of an event in a delivery. */
export interface Place {
  readonly businessId: string
  readonly phoneId: string | null
}

const longestField = 100

/** Field for messages that the business wrote in the app of the provider. */
export const echoField = "smb_message_echoes"

/** Unknown event, stored with the name from the provider. */
export const unknownEvent = ({ businessId, phoneId }: Place, ...field: ReadonlyArray<string>): InboundEvent => ({
  kind: "unknown",
  businessId,
  phoneId,
  field: field.join(".").slice(0, longestField)
})

const secondsForm = /^\d{1,12}$/u

const timeAt = (value: unknown, ...path: ReadonlyArray<string>): DateTime.Utc | null => {
  const seconds = idAt(value, ...path)
  return seconds !== null && secondsForm.test(seconds) ? Option.getOrNull(DateTime.make(Number(seconds) * 1_000)) : null
}

const senderOf = (value: unknown, message: unknown): Sender => {
  const from = textAt(message, "from")
  const chatUser = textAt(message, "from_user_id")
  const contact = listAt(value, "contacts").find(
    (candidate) =>
      (from !== null && textAt(candidate, "wa_id") === from) ||
      (chatUser !== null && textAt(candidate, "user_id") === chatUser)
  )
  return {
    phone: phoneIn(from ?? textAt(contact, "wa_id")),
    chatUser: chatUser ?? textAt(contact, "user_id"),
    name: textAt(contact, "profile", "name")
  }
}

/** Reads the common part of all messages. */
const headIn = ({ phoneId }: Place, message: unknown) => {
  const id = textAt(message, "id")
  const at = timeAt(message, "timestamp")
  return phoneId === null || id === null || at === null ? null : { phoneId, id, at }
}

const bodyIn = (message: unknown) => {
  const content = contentIn(message)
  const raw = rawIn(content, message)
  return { content, replyTo: textAt(message, "context", "id"), ...(raw !== undefined && { raw }) }
}

/** Reads an incoming message. */
export const messageIn = (place: Place, value: unknown, message: unknown): InboundEvent => {
  const head = headIn(place, message)
  const from = senderOf(value, message)
  if (head === null) return unknownEvent(place, "messages", "message")
  if (textAt(message, "group_id") !== null) return unknownEvent(place, "messages", "group")
  if (from.phone === null && from.chatUser === null) return unknownEvent(place, "messages", "sender")
  const { isAdvertisement, referral } = referralIn(at(message, "referral"))
  return {
    kind: "message",
    ...head,
    from,
    ...bodyIn(message),
    fromAdvertisement: isAdvertisement,
    ...(referral !== null && { referral })
  }
}

/** Reads a message that the business wrote in the app of the provider. */
export const echoIn = (place: Place, message: unknown): InboundEvent => {
  const head = headIn(place, message)
  const to = { phone: phoneIn(textAt(message, "to")), chatUser: textAt(message, "to_user_id") }
  if (head === null) return unknownEvent(place, echoField, "message")
  if (textAt(message, "group_id") !== null) return unknownEvent(place, echoField, "group")
  if (to.phone === null && to.chatUser === null) return unknownEvent(place, echoField, "recipient")
  return { kind: "echo", ...head, to, ...bodyIn(message) }
}

const receiptStatus = (status: string | null) => {
  if (status === "sent" || status === "delivered" || status === "failed") return status
  return status !== null && readStatuses.has(status) ? "read" : null
}

const failureIn = (status: unknown) => {
  const [error] = listAt(status, "errors")
  const code = numberAt(error, "code")
  return code === null || !Number.isSafeInteger(code)
    ? null
    : { code, reason: reasonOf(error, []), remedy: remedyOf(code) ?? ("give_up" as const) }
}

/** Reads the delivery status of a sent message. */
export const receiptIn = (place: Place, receipt: unknown): InboundEvent => {
  const { phoneId } = place
  const id = textAt(receipt, "id")
  const told = timeAt(receipt, "timestamp")
  const named = textAt(receipt, "status")
  const status = receiptStatus(named)
  const pricing = pricingIn(at(receipt, "pricing"))
  if (phoneId === null || id === null || told === null) return unknownEvent(place, "messages", "status")
  if (status === null) return unknownEvent(place, "messages", "status", named ?? "none")
  return {
    kind: "receipt",
    phoneId,
    id,
    at: told,
    status,
    to: {
      phone: phoneIn(textAt(receipt, "recipient_id")),
      chatUser: textAt(receipt, "recipient_user_id")
    },
    reference: textAt(receipt, "biz_opaque_callback_data"),
    error: status === "failed" ? failureIn(receipt) : null,
    ...(pricing !== null && { pricing })
  }
}

/** Reads the marketing consent of a customer. */
export const preferenceIn = (place: Place, preference: unknown): InboundEvent => {
  const { phoneId } = place
  const marketing = preferenceValues.get(textAt(preference, "value") ?? "")
  const at = timeAt(preference, "timestamp")
  const from = { phone: phoneIn(textAt(preference, "wa_id")), chatUser: textAt(preference, "user_id") }
  if (
    phoneId === null ||
    at === null ||
    marketing === undefined ||
    textAt(preference, "category") !== "marketing_messages" ||
    (from.phone === null && from.chatUser === null)
  ) {
    return unknownEvent(place, "user_preferences")
  }
  return { kind: "preference", phoneId, at, from, marketing }
}
