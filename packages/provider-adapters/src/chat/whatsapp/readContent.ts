import type { InboundContent, InboundMedia, MediaKind } from "@parley/domain/messaging"
import type { Schema } from "effect"
import { Predicate } from "effect"
import { at, idAt, listAt, numberAt, parsed, storableText, textAt } from "../../json.ts"
import { changeTypes, systemText, welcomeText } from "./assumptions.ts"
import { orderIn, phoneIn } from "./readDetails.ts"
import { timeAt } from "./readPlace.ts"

const longestType = 100

const mediaKinds: ReadonlySet<string> = new Set<MediaKind>(["image", "video", "audio", "document", "sticker"])
const isMediaKind = (type: string): type is MediaKind => mediaKinds.has(type)

const mediaIn = (file: unknown): InboundMedia | null => {
  const mediaId = idAt(file, "id")
  const url = textAt(file, "url")
  return mediaId === null
    ? null
    : {
        mediaId,
        mimeType: textAt(file, "mime_type") ?? "application/octet-stream",
        sha256: textAt(file, "sha256"),
        caption: textAt(file, "caption"),
        filename: textAt(file, "filename"),
        ...(at(file, "voice") === true && { isVoice: true }),
        ...(at(file, "animated") === true && { isAnimated: true }),
        ...(url !== null && { url })
      }
}

const locationIn = (place: unknown): InboundContent | null => {
  const latitude = numberAt(place, "latitude")
  const longitude = numberAt(place, "longitude")
  const isOnEarth = Math.abs(latitude ?? 0) <= 90 && Math.abs(longitude ?? 0) <= 180
  return latitude === null || longitude === null || !isOnEarth
    ? null
    : { kind: "location", latitude, longitude, name: textAt(place, "name"), address: textAt(place, "address") }
}

const cardName = /^FN[^:\r\n]*:(.+)$/imu

/** Name of a shared person. A card that answers a request for the phone number has only the text of the card. */
const sharedName = (contact: unknown): string =>
  textAt(contact, "name", "formatted_name") ??
  textAt(contact, "name", "first_name") ??
  cardName.exec(textAt(contact, "vcard") ?? "")?.[1]?.trim() ??
  ""

const sharedPhones = (contact: unknown): ReadonlyArray<string> =>
  listAt(contact, "phones").flatMap((phone) => phoneIn(textAt(phone, "wa_id")) ?? textAt(phone, "phone") ?? [])

/** Own number of the sender, if the sender shared it as requested. Any other card is about another person. */
const ownPhoneIn = (message: unknown): string | null => {
  if (textAt(message, "origin") !== "contact_request") return null
  const [card] = listAt(message, "contacts")
  return phoneIn(sharedPhones(card)[0]?.replaceAll(/[\s().-]/gu, "") ?? null)
}

const contactsIn = (message: unknown): InboundContent => {
  const ownPhone = ownPhoneIn(message)
  return {
    kind: "contacts",
    contacts: listAt(message, "contacts").map((contact) => ({
      name: sharedName(contact),
      phones: sharedPhones(contact)
    })),
    ...(ownPhone !== null && { ownPhone })
  }
}

const tapped = (reply: unknown): InboundContent | null => {
  const id = textAt(reply, "id")
  const title = textAt(reply, "title")
  const description = textAt(reply, "description")
  return id === null && title === null
    ? null
    : {
        kind: "interactive",
        id: id ?? title ?? "",
        title: title ?? "",
        ...(description !== null && { description })
      }
}

/** A completed form with the entered values. */
const filledIn = (form: unknown): InboundContent | null => {
  const answer = textAt(form, "response_json")
  if (answer === null) return null
  const name = textAt(form, "name") ?? "form"
  const values = parsed(answer)
  return {
    kind: "interactive",
    id: name,
    title: textAt(form, "body") ?? "",
    // It was parsed from JSON, so it is JSON.
    form: { name, values: Predicate.isObject(values) ? (values as Readonly<Record<string, Schema.Json>>) : null }
  }
}

const callPermissionIn = (reply: unknown): InboundContent | null => {
  const response = storableText(textAt(reply, "response") ?? "", longestType) || null
  return response === null
    ? null
    : {
        kind: "interactive",
        id: "call_permission",
        title: response,
        callPermission: {
          response,
          isPermanent: at(reply, "is_permanent") === true,
          expiresAt: timeAt(reply, "expiration_timestamp")
        }
      }
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

/**
 * Reads a change of a person: of the phone number, of the ids, or of the identity key. The provider's text contains the name and the numbers, so only
 * the raw message has it.
 */
const systemIn = (message: unknown): InboundContent => {
  const system = at(message, "system")
  const newChatUser = textAt(system, "user_id")
  const newParentUser = textAt(system, "parent_user_id")
  const identityHash = textAt(message, "identity", "hash")
  return {
    kind: "system",
    text: systemText(textAt(system, "type")),
    newPhone: phoneIn(textAt(system, "wa_id") ?? textAt(system, "new_wa_id")),
    ...(newChatUser !== null && { newChatUser }),
    ...(newParentUser !== null && { newParentUser }),
    ...(identityHash !== null && { identityHash })
  }
}

const textIn = (text: unknown): InboundContent | null => {
  const body = textAt(text, "body")
  return body === null ? null : { kind: "text", text: body }
}

/** An edited message with its new content. A message of another provider is unknown. */
const editIn = (edit: unknown): InboundContent | null => {
  const of = textAt(edit, "original_message_id")
  const message = at(edit, "message")
  return of === null || at(message, "type") === undefined || changeTypes.has(textAt(message, "type") ?? "")
    ? null
    : { kind: "edit", of, content: contentIn(message) }
}

const revocationIn = (revoke: unknown): InboundContent | null => {
  const of = textAt(revoke, "original_message_id")
  return of === null ? null : { kind: "revocation", of }
}

const interactiveIn = (interactive: unknown): InboundContent | null =>
  tapped(at(interactive, "button_reply") ?? at(interactive, "list_reply")) ??
  filledIn(at(interactive, "nfm_reply")) ??
  callPermissionIn(at(interactive, "call_permission_reply"))

const knownContent = (type: string, message: unknown): InboundContent | null => {
  switch (type) {
    case "text":
      return textIn(at(message, "text"))
    case "location":
      return locationIn(at(message, "location"))
    case "contacts":
      return listAt(message, "contacts").length === 0 ? null : contactsIn(message)
    case "button":
      return buttonIn(at(message, "button"))
    case "interactive":
      return interactiveIn(at(message, "interactive"))
    case "reaction":
      return reactionIn(at(message, "reaction"))
    case "order":
      return orderIn(at(message, "order"))
    case "edit":
      return editIn(at(message, "edit"))
    case "revoke":
      return revocationIn(at(message, "revoke"))
    case "system":
      return systemIn(message)
    case "request_welcome":
      return { kind: "system", text: welcomeText, newPhone: null, isWelcome: true }
    default:
      return null
  }
}

/** Content of a message. Unexpected content has an unknown type. */
export const contentIn = (message: unknown): InboundContent => {
  const type = textAt(message, "type") ?? "none"
  if (isMediaKind(type)) {
    const media = mediaIn(at(message, type))
    if (media !== null) return { kind: type, media }
  }
  return knownContent(type, message) ?? { kind: "unsupported", type: storableText(type, longestType) }
}

const cardParts = ["addresses", "birthday", "emails", "org", "urls", "vcard"]

/** Whether the content omits parts of the raw message. */
const isPartial = (content: InboundContent, message: unknown): boolean => {
  switch (content.kind) {
    case "unsupported":
      return true
    case "contacts":
      return listAt(message, "contacts").some((card) => cardParts.some((part) => at(card, part) !== undefined))
    case "interactive":
      return content.form?.values === null
    case "order":
      return content.items.length !== listAt(message, "order", "product_items").length
    case "edit":
      return content.content.kind !== "text" && !("media" in content.content)
    case "system":
      return content.isWelcome !== true
    case "location":
      return textAt(message, "location", "url") !== null
    default:
      return false
  }
}

/** The raw message, if its content omits parts of it. It was parsed from JSON, so it is JSON. */
export const rawIn = (content: InboundContent, message: unknown): Schema.Json | undefined =>
  isPartial(content, message) ? (message as Schema.Json) : undefined
