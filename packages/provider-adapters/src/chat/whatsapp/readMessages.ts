import type { InboundContent, InboundEvent, InboundMedia, MediaKind, Sender } from "@parley/domain"
import { DateTime, Option } from "effect"
import { preferenceValues, readStatuses } from "./assumptions.ts"
import { remedyOf } from "./errorTable.ts"
import { at, idAt, listAt, numberAt, textAt } from "./json.ts"
import { reasonOf } from "./refusals.ts"

/** Where in a delivery an event was found. */
export interface Place {
  readonly businessId: string
  readonly phoneId: string | null
}

const longestField = 100

/** Something that this version does not know: kept by its name, which the provider chose. */
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

const digits = /^\d{5,20}$/u

/** A phone number with its plus; `null` for what is none. */
export const phoneIn = (digitsOnly: string | null): string | null => {
  const number = digitsOnly?.replace(/^\+/u, "") ?? ""
  return digits.test(number) ? `+${number}` : null
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

const mediaKinds: ReadonlySet<string> = new Set<MediaKind>(["image", "video", "audio", "document", "sticker"])
const isMediaKind = (type: string): type is MediaKind => mediaKinds.has(type)

const mediaIn = (file: unknown): InboundMedia | null => {
  const mediaId = idAt(file, "id")
  return mediaId === null
    ? null
    : {
        mediaId,
        mimeType: textAt(file, "mime_type") ?? "application/octet-stream",
        sha256: textAt(file, "sha256"),
        caption: textAt(file, "caption"),
        filename: textAt(file, "filename")
      }
}

const locationIn = (place: unknown): InboundContent | null => {
  const latitude = numberAt(place, "latitude")
  const longitude = numberAt(place, "longitude")
  return latitude === null || longitude === null
    ? null
    : { kind: "location", latitude, longitude, name: textAt(place, "name"), address: textAt(place, "address") }
}

const contactsIn = (message: unknown): InboundContent => ({
  kind: "contacts",
  contacts: listAt(message, "contacts").map((contact) => ({
    name: textAt(contact, "name", "formatted_name") ?? textAt(contact, "name", "first_name") ?? "",
    phones: listAt(contact, "phones").flatMap(
      (phone) => phoneIn(textAt(phone, "wa_id")) ?? textAt(phone, "phone") ?? []
    )
  }))
})

const tapped = (reply: unknown): InboundContent | null => {
  const id = textAt(reply, "id")
  const title = textAt(reply, "title")
  return id === null && title === null ? null : { kind: "interactive", id: id ?? title ?? "", title: title ?? "" }
}

const buttonIn = (button: unknown): InboundContent | null => {
  const title = textAt(button, "text")
  const id = textAt(button, "payload") ?? title
  return id === null ? null : { kind: "interactive", id, title: title ?? id }
}

const reactionIn = (reaction: unknown): InboundContent | null => {
  const to = textAt(reaction, "message_id")
  return to === null ? null : { kind: "reaction", to, emoji: textAt(reaction, "emoji") ?? "" }
}

const systemIn = (system: unknown): InboundContent => ({
  kind: "system",
  text: textAt(system, "body") ?? "",
  newPhone: phoneIn(textAt(system, "wa_id") ?? textAt(system, "new_wa_id"))
})

const textIn = (text: unknown): InboundContent | null => {
  const body = textAt(text, "body")
  return body === null ? null : { kind: "text", text: body }
}

const knownContent = (type: string, message: unknown): InboundContent | null => {
  switch (type) {
    case "text":
      return textIn(at(message, "text"))
    case "location":
      return locationIn(at(message, "location"))
    case "contacts":
      return contactsIn(message)
    case "button":
      return buttonIn(at(message, "button"))
    case "interactive":
      return tapped(at(message, "interactive", "button_reply") ?? at(message, "interactive", "list_reply"))
    case "reaction":
      return reactionIn(at(message, "reaction"))
    case "system":
      return systemIn(at(message, "system"))
    default:
      return null
  }
}

const contentOf = (type: string, message: unknown): InboundContent => {
  if (isMediaKind(type)) {
    const media = mediaIn(at(message, type))
    if (media !== null) return { kind: type, media }
  }
  return knownContent(type, message) ?? { kind: "unsupported", type: type.slice(0, longestField) }
}

const isFromAdvertisement = (message: unknown) => {
  const referral = at(message, "referral")
  return textAt(referral, "ctwa_clid") !== null || textAt(referral, "source_type") === "ad"
}

/** A message that came in. */
export const messageIn = (place: Place, value: unknown, message: unknown): InboundEvent => {
  const { phoneId } = place
  const id = textAt(message, "id")
  const at = timeAt(message, "timestamp")
  const type = textAt(message, "type")
  const from = senderOf(value, message)
  if (phoneId === null || id === null || at === null || type === null) return unknownEvent(place, "messages", "message")
  if (textAt(message, "group_id") !== null) return unknownEvent(place, "messages", "group")
  if (from.phone === null && from.chatUser === null) return unknownEvent(place, "messages", "sender")
  return {
    kind: "message",
    phoneId,
    id,
    at,
    from,
    content: contentOf(type, message),
    replyTo: textAt(message, "context", "id"),
    fromAdvertisement: isFromAdvertisement(message)
  }
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

/** What became of a message that went out. */
export const receiptIn = (place: Place, receipt: unknown): InboundEvent => {
  const { phoneId } = place
  const id = textAt(receipt, "id")
  const at = timeAt(receipt, "timestamp")
  const named = textAt(receipt, "status")
  const status = receiptStatus(named)
  if (phoneId === null || id === null || at === null) return unknownEvent(place, "messages", "status")
  if (status === null) return unknownEvent(place, "messages", "status", named ?? "none")
  return {
    kind: "receipt",
    phoneId,
    id,
    at,
    status,
    to: {
      phone: phoneIn(textAt(receipt, "recipient_id")),
      chatUser: textAt(receipt, "recipient_user_id")
    },
    reference: textAt(receipt, "biz_opaque_callback_data"),
    error: status === "failed" ? failureIn(receipt) : null
  }
}

/** A customer's word on whether marketing is welcome. */
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
