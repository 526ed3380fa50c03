import type { OutgoingMessage, OutgoingContent, ProviderConnection, Recipient } from "@parley/domain/messaging"
import { contactOut } from "./outgoingContacts.ts"
import { interactiveOut } from "./outgoingInteractive.ts"
import { filledTemplateOut } from "./templates/sending.ts"

export { languageIn, languageOut } from "./templates/languages.ts"

const recipient = ({ kind, value }: Recipient) =>
  kind === "phone" ? { to: value.startsWith("+") ? value : `+${value}` } : { recipient: value }

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

/** Options of messages over the interface for marketing. */
export interface MarketingOptions {
  /** Whether the provider can deliver the message over the other interface. Default: `CLOUD_API_FALLBACK`. */
  readonly productPolicy?: "CLOUD_API_FALLBACK" | "STRICT"
  /** Whether the provider uses the activity of recipients to improve delivery. Default: the setting of the business account. */
  readonly isActivityShared?: boolean
}

/** Account that pays for a message, if it is known. The provider requires it from 2027 on for numbers with several accounts. */
export const payerOf = ({ messagingAccountId }: ProviderConnection) =>
  messagingAccountId === undefined ? {} : { messaging_account_id: messagingAccountId }

/** A marketing template as the provider takes it over its interface for marketing. */
export const marketingOut = (
  message: OutgoingMessage,
  { isActivityShared, productPolicy = "CLOUD_API_FALLBACK" }: MarketingOptions
) => ({
  ...messageOut(message),
  product_policy: productPolicy,
  ...(isActivityShared !== undefined && { message_activity_sharing: isActivityShared })
})

/** The notice that a message was read, as the provider takes it. */
export const readOut = (providerMessageId: string, { isTyping }: { readonly isTyping: boolean }) => ({
  messaging_product: "whatsapp",
  status: "read",
  message_id: providerMessageId,
  ...(isTyping && { typing_indicator: { type: "text" } })
})
