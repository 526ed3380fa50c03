import type { InboundContent, InboundMedia, MediaKind } from "@parley/domain"
import type { Schema } from "effect"
import { at, idAt, listAt, numberAt, textAt } from "../../json.ts"
import { changeTypes, welcomeText } from "./assumptions.ts"
import { orderIn, phoneIn } from "./readDetails.ts"

const longestType = 100

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
  const isOnEarth = Math.abs(latitude ?? 0) <= 90 && Math.abs(longitude ?? 0) <= 180
  return latitude === null || longitude === null || !isOnEarth
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

/** A completed form. The raw message contains the entered values. */
const filledIn = (form: unknown): InboundContent | null =>
  textAt(form, "response_json") === null
    ? null
    : { kind: "interactive", id: textAt(form, "name") ?? "form", title: textAt(form, "body") ?? "" }

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
  tapped(at(interactive, "button_reply") ?? at(interactive, "list_reply")) ?? filledIn(at(interactive, "nfm_reply"))

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
      return systemIn(at(message, "system"))
    case "request_welcome":
      return { kind: "system", text: welcomeText, newPhone: null }
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
  return knownContent(type, message) ?? { kind: "unsupported", type: type.slice(0, longestType) }
}

const cardParts = ["addresses", "birthday", "emails", "org", "urls"]

/** Whether the content omits parts of the raw message. */
const isPartial = (content: InboundContent, message: unknown): boolean => {
  switch (content.kind) {
    case "unsupported":
      return true
    case "contacts":
      return listAt(message, "contacts").some((card) => cardParts.some((part) => at(card, part) !== undefined))
    case "interactive":
      return at(message, "interactive", "nfm_reply") !== undefined
    case "order":
      return content.items.length !== listAt(message, "order", "product_items").length
    case "edit":
      return content.content.kind !== "text" && !("media" in content.content)
    case "system":
      return content.text === ""
    default:
      // It asks about a product of the catalogue.
      return at(message, "context", "referred_product") !== undefined
  }
}

/** The raw message, if its content omits parts of it. It was parsed from JSON, so it is JSON. */
export const rawIn = (content: InboundContent, message: unknown): Schema.Json | undefined =>
  isPartial(content, message) ? (message as Schema.Json) : undefined
