import type { Interactive, OutgoingMessage, OutgoingContent, Recipient } from "@parley/domain"
import { filledTemplateOut } from "./templates/sending.ts"

export { languageIn, languageOut } from "./templates/languages.ts"

const recipient = ({ kind, value }: Recipient) =>
  kind === "phone" ? { to: value.startsWith("+") ? value : `+${value}` } : { recipient: value }

const interactive = (content: Interactive) => {
  const body = { text: content.body }
  return content.type === "buttons"
    ? {
        type: "button",
        body,
        action: { buttons: content.buttons.map(({ id, title }) => ({ type: "reply", reply: { id, title } })) }
      }
    : { type: "list", body, action: { button: content.button, sections: content.sections } }
}

const media = (content: Extract<OutgoingContent, { readonly mediaId: string }>) => ({
  id: content.mediaId,
  ...(content.caption === null || content.kind === "audio" || content.kind === "sticker"
    ? {}
    : { caption: content.caption }),
  ...(content.filename === null || content.kind !== "document" ? {} : { filename: content.filename })
})

const content = (content: OutgoingContent) => {
  switch (content.kind) {
    case "text":
      return { type: "text", text: { body: content.text, preview_url: false } }
    case "interactive":
      return { type: "interactive", interactive: interactive(content.interactive) }
    case "template":
      return { type: "template", template: filledTemplateOut(content.template) }
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
      return {
        type: "contacts",
        contacts: content.contacts.map(({ name, phones }) => ({
          // The provider requires one part of the name beside the whole.
          name: { formatted_name: name, first_name: name },
          phones: phones.map((phone) => ({ phone }))
        }))
      }
    default:
      return { type: content.kind, [content.kind]: media(content) }
  }
}

/** A message as the provider takes it. */
export const messageOut = (message: OutgoingMessage) => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...recipient(message.to),
  ...(message.replyTo === null ? {} : { context: { message_id: message.replyTo } }),
  ...content(message.content),
  biz_opaque_callback_data: message.reference
})
