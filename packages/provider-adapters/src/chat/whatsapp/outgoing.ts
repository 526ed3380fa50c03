import type { OutgoingMessage, OutgoingContent, Recipient, FilledTemplate, TemplateValues } from "@parley/domain"
import { contactOut } from "./outgoingContacts.ts"
import { interactiveOut } from "./outgoingInteractive.ts"

/** A language as the provider writes it. */
export const languageOut = (locale: string): string => locale.replaceAll("-", "_")

/** A language as it is written here. */
export const languageIn = (code: string): string => code.replaceAll("_", "-")

// Without the plus, the provider puts the country code of the business number in front.
const recipient = ({ kind, value }: Recipient) =>
  kind === "phone" ? { to: value.startsWith("+") ? value : `+${value}` } : { recipient: value }

const inOrder = (values: TemplateValues) =>
  Object.entries(values).toSorted(([one], [other]) => Number(one) - Number(other))

const textParameters = (values: TemplateValues, named: boolean) =>
  named
    ? Object.entries(values).map(([name, text]) => ({ type: "text", parameter_name: name, text }))
    : inOrder(values).map(([, text]) => ({ type: "text", text }))

const header = ({ header, named }: FilledTemplate) => {
  switch (header.kind) {
    case "none":
      return []
    case "text":
      return [{ type: "header", parameters: textParameters(header.values, named) }]
    case "media": {
      const { filename, media, mediaId } = header
      const file = { id: mediaId, ...(filename === null || media !== "document" ? {} : { filename }) }
      return [{ type: "header", parameters: [{ type: media, [media]: file }] }]
    }
    case "location": {
      const { latitude, longitude } = header
      return [{ type: "header", parameters: [{ type: "location", location: { latitude, longitude } }] }]
    }
  }
}

const body = ({ body, named }: FilledTemplate) => {
  const parameters = textParameters(body, named)
  return parameters.length === 0 ? [] : [{ type: "body", parameters }]
}

const buttonParameter = {
  url: (text: string) => ({ type: "text", text }),
  quick_reply: (payload: string) => ({ type: "payload", payload }),
  copy_code: (code: string) => ({ type: "coupon_code", coupon_code: code })
} as const

const buttons = ({ buttons }: FilledTemplate) =>
  buttons.map(({ index, type, value }) => ({
    type: "button",
    sub_type: type,
    index,
    parameters: [buttonParameter[type](value)]
  }))

const template = (filling: FilledTemplate) => ({
  name: filling.name,
  language: { code: languageOut(filling.language), policy: "deterministic" },
  components: [...header(filling), ...body(filling), ...buttons(filling)]
})

const media = (content: Extract<OutgoingContent, { readonly mediaId: string }>) => ({
  id: content.mediaId,
  ...(content.caption === null || content.kind === "audio" || content.kind === "sticker"
    ? {}
    : { caption: content.caption }),
  ...(content.filename === null || content.kind !== "document" ? {} : { filename: content.filename }),
  ...(content.voice === true && content.kind === "audio" ? { voice: true } : {})
})

const content = (content: OutgoingContent) => {
  switch (content.kind) {
    case "text":
      return { type: "text", text: { body: content.text, ...(content.linkPreview === true && { preview_url: true }) } }
    case "interactive":
      return { type: "interactive", interactive: interactiveOut(content.interactive) }
    case "provider":
      return content.payload
    case "template":
      return { type: "template", template: template(content.template) }
    case "reaction":
      return { type: "reaction", reaction: { message_id: content.to, emoji: content.emoji } }
    case "location": {
      const { address, latitude, longitude, name } = content
      return {
        type: "location",
        location: {
          latitude,
          longitude,
          ...(name === null ? {} : { name }),
          ...(address === null ? {} : { address })
        }
      }
    }
    case "contacts":
      return { type: "contacts", contacts: content.contacts.map(contactOut) }
    default:
      return { type: content.kind, [content.kind]: media(content) }
  }
}

/** A message as the provider takes it. */
export const messageOut = (message: OutgoingMessage) => ({
  // The content comes first, so no payload in the form of the provider replaces the recipient.
  ...content(message.content),
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...recipient(message.to),
  ...(message.replyTo === null ? {} : { context: { message_id: message.replyTo } }),
  biz_opaque_callback_data: message.reference
})

/** The notice that a message was read, as the provider takes it. */
export const readOut = (providerMessageId: string, { isTyping }: { readonly isTyping: boolean }) => ({
  messaging_product: "whatsapp",
  status: "read",
  message_id: providerMessageId,
  ...(isTyping && { typing_indicator: { type: "text" } })
})
