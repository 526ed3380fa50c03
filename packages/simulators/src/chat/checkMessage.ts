import { type Fields, listAt, numberAt, objectAt, oneOf, refuse, textAt, textIfAny } from "./checks.ts"
import { checkTemplate, filesOfTemplate } from "./checkTemplate.ts"
import type { KeptTemplate } from "./World.ts"

const mediaTypes = ["image", "video", "audio", "document", "sticker"] as const
const types = ["text", ...mediaTypes, "interactive", "template", "reaction", "location", "contacts"] as const
type Type = (typeof types)[number]

const envelope = [
  "messaging_product",
  "recipient_type",
  "to",
  "recipient",
  "type",
  "context",
  "biz_opaque_callback_data"
] as const

/** Lookups for the checks. */
export interface Known {
  readonly hasFile: (id: string) => boolean
  readonly hasMessage: (id: string) => boolean
  readonly template: (name: string, language: string) => KeptTemplate | undefined
}

/** A message that has the form that the provider asks for. */
export interface CheckedMessage {
  readonly to: { readonly phone: string } | { readonly userId: string }
  readonly type: Type
  readonly template: KeptTemplate | null
  readonly text: string
  readonly reference: string | null
}

const recipientOf = (message: Fields): CheckedMessage["to"] => {
  if (message["to"] !== undefined) {
    const phone = textAt(message["to"], "to", 21).replace(/^\+/u, "")
    return /^\d{7,15}$/u.test(phone) ? { phone } : refuse(131_009, "Param to is not a phone number.")
  }
  if (message["recipient"] === undefined) return refuse(131_008, "The parameter to is required.")
  const userId = textAt(message["recipient"], "recipient", 140)
  return /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/u.test(userId)
    ? { userId }
    : refuse(131_009, "Param recipient is not a user id.")
}

const checkFile = (file: Fields, known: Known) => {
  const id = file["id"]
  if ((id === undefined) === (file["link"] === undefined)) refuse(100, "Exactly one of id and link is required.")
  if (id !== undefined && !known.hasFile(textAt(id, "id", 200))) refuse(131_009, "The media id does not exist.")
  if (id === undefined && !/^https?:\/\//u.test(textAt(file["link"], "link", 2_000))) {
    refuse(131_009, "Param link is not an address.")
  }
}

const mediaKeys: Readonly<Record<(typeof mediaTypes)[number], ReadonlyArray<string>>> = {
  image: ["id", "link", "caption"],
  video: ["id", "link", "caption"],
  audio: ["id", "link", "voice"],
  document: ["id", "link", "caption", "filename"],
  sticker: ["id", "link"]
}

const checkButtons = (action: Fields) => {
  const buttons = listAt(objectAt(action, "action", ["buttons"])["buttons"], "buttons", 3).map((button) => {
    const fields = objectAt(button, "button", ["type", "reply"])
    oneOf(fields["type"], "button.type", ["reply"])
    const reply = objectAt(fields["reply"], "reply", ["id", "title"])
    return { id: textAt(reply["id"], "reply.id", 256), title: textAt(reply["title"], "reply.title", 20) }
  })
  if (new Set(buttons.map(({ id }) => id)).size < buttons.length) refuse(131_009, "Button ids must be unique.")
  if (new Set(buttons.map(({ title }) => title)).size < buttons.length) refuse(131_009, "Button titles must be unique.")
}

const checkList = (action: Fields) => {
  const { button, sections } = objectAt(action, "action", ["button", "sections"])
  textAt(button, "action.button", 20)
  const all = listAt(sections, "sections", 10).map((section) => objectAt(section, "section", ["title", "rows"]))
  const rows = all.flatMap((section) => {
    if (all.length > 1) textAt(section["title"], "section.title", 24)
    return listAt(section["rows"], "rows", 10).map((row) => {
      const fields = objectAt(row, "row", ["id", "title", "description"])
      textAt(fields["title"], "row.title", 24)
      textIfAny(fields["description"], "row.description", 72)
      return textAt(fields["id"], "row.id", 200)
    })
  })
  if (rows.length > 10) refuse(131_009, "A list has at most 10 rows.")
  if (new Set(rows).size < rows.length) refuse(131_009, "Row ids must be unique.")
}

const checkInteractive = (value: unknown): string => {
  const interactive = objectAt(value, "interactive", ["type", "header", "body", "footer", "action"])
  const type = oneOf(interactive["type"], "interactive.type", ["button", "list"])
  const text = textAt(objectAt(interactive["body"], "body", ["text"])["text"], "body.text", 1_024)
  const action = objectAt(interactive["action"], "action")
  if (type === "button") checkButtons(action)
  else checkList(action)
  return text
}

const checkReaction = (value: unknown, known: Known) => {
  const reaction = objectAt(value, "reaction", ["message_id", "emoji"])
  if (!known.hasMessage(textAt(reaction["message_id"], "message_id", 300))) {
    refuse(131_009, "The message to react to does not exist.")
  }
  textAt(reaction["emoji"], "emoji", 20, 0)
}

const checkLocation = (value: unknown) => {
  const location = objectAt(value, "location", ["latitude", "longitude", "name", "address"])
  numberAt(Number(location["latitude"]), "latitude", -90, 90)
  numberAt(Number(location["longitude"]), "longitude", -180, 180)
}

const nameParts = ["first_name", "last_name", "middle_name", "suffix", "prefix"] as const

const checkContacts = (value: unknown) => {
  for (const each of listAt(value, "contacts", 257)) {
    const contact = objectAt(each, "contact", ["name", "phones", "emails", "addresses", "org", "urls", "birthday"])
    const name = objectAt(contact["name"], "name", ["formatted_name", ...nameParts])
    textAt(name["formatted_name"], "name.formatted_name", 1_000)
    if (!nameParts.some((part) => textIfAny(name[part], part, 1_000))) {
      refuse(131_008, "At least one part of the name is required besides formatted_name.")
    }
    for (const phone of listAt(contact["phones"] ?? [], "phones", 100, 0)) {
      textAt(objectAt(phone, "phone", ["phone", "type", "wa_id"])["phone"], "phones.phone", 100)
    }
  }
}

const checkText = (value: unknown): string => {
  const text = objectAt(value, "text", ["body", "preview_url"])
  return textAt(text["body"], "text.body", 4_096)
}

const isMedia = (type: Type): type is (typeof mediaTypes)[number] => mediaTypes.some((media) => media === type)

const checkContent = (type: Type, content: unknown, known: Known): Pick<CheckedMessage, "template" | "text"> => {
  if (content === undefined) return refuse(131_008, `The parameter ${type} is required.`)
  if (isMedia(type)) {
    const file = objectAt(content, type, mediaKeys[type])
    checkFile(file, known)
    return { template: null, text: textIfAny(file["caption"], "caption", 1_024) ?? "" }
  }
  switch (type) {
    case "text":
      return { template: null, text: checkText(content) }
    case "interactive":
      return { template: null, text: checkInteractive(content) }
    case "template": {
      const template = checkTemplate(content, known.template)
      for (const file of filesOfTemplate(content)) checkFile(file, known)
      return { template, text: "" }
    }
    case "reaction":
      checkReaction(content, known)
      return { template: null, text: "" }
    case "location":
      checkLocation(content)
      return { template: null, text: "" }
    case "contacts":
      checkContacts(content)
      return { template: null, text: "" }
  }
}

/** Checks the form of a message as strictly as the provider does. */
export const checkMessage = (payload: unknown, known: Known): CheckedMessage => {
  const message = objectAt(payload, "request")
  if (message["messaging_product"] !== "whatsapp") refuse(100, "The parameter messaging_product is required.")
  const type = oneOf(message["type"] ?? "text", "type", types)
  objectAt(message, "request", [...envelope, type])
  if (message["recipient_type"] !== undefined) oneOf(message["recipient_type"], "recipient_type", ["individual"])
  const to = recipientOf(message)
  if (message["context"] !== undefined) {
    const context = objectAt(message["context"], "context", ["message_id"])
    if (!known.hasMessage(textAt(context["message_id"], "message_id", 300))) {
      refuse(131_009, "The message to reply to does not exist.")
    }
  }
  const reference = textIfAny(message["biz_opaque_callback_data"], "biz_opaque_callback_data", 512)
  return { to, type, reference, ...checkContent(type, message[type], known) }
}
