import type { DateTime } from "effect"
import type { ChatAccountId, InboundCall, InboundContent, InboundMedia, MediaKind } from "../../chat/index.ts"
import { Media } from "../MediaLibrary.ts"
import { MediaId, type Message } from "../Message.ts"
import type { MessageDetails } from "../MessageDetails.ts"
import { sanitizeFilename } from "../mediaTypes.ts"
import type { EchoEvent, HistoryEvent, MessageEvent } from "./ContactEvent.ts"
import { toFormValues, toPlainTextOrNull, toPlainText } from "./plainText.ts"

/** Fields of a message that depend on its kind, and its file. */
export interface ReceivedContent {
  readonly parts: Pick<Message, "kind" | "text" | "media" | "interactive" | "location" | "contacts" | "order">
  readonly file: Media | null
}

const emptyParts = { text: null, media: null, interactive: null, location: null, contacts: null, order: null } as const

const withoutFile = (parts: Partial<ReceivedContent["parts"]> & Pick<Message, "kind">): ReceivedContent => ({
  parts: { ...emptyParts, ...parts },
  file: null
})

const toFileContent = (
  kind: MediaKind,
  media: InboundMedia,
  chatAccountId: ChatAccountId,
  id: string,
  createdAt: DateTime.Utc
): ReceivedContent => {
  const file = new Media({
    id: MediaId.make(id),
    kind,
    mimeType: toPlainText(media.mimeType),
    filename: media.filename === null ? null : sanitizeFilename(media.filename),
    size: null,
    state: "remote",
    fileId: null,
    remote: { chatAccountId, mediaId: toPlainText(media.mediaId) },
    isUsed: true,
    createdAt
  })
  const { filename, mimeType } = file
  return {
    parts: { ...emptyParts, kind, text: toPlainTextOrNull(media.caption), media: { id: file.id, mimeType, filename } },
    file
  }
}

const isValidLocation = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

const toOrderContent = ({ catalogId, items, note }: Extract<InboundContent, { readonly kind: "order" }>) =>
  withoutFile({
    kind: "order",
    text: toPlainTextOrNull(note),
    order: {
      catalogId: toPlainTextOrNull(catalogId),
      items: items.map(({ price, productId, quantity }) => ({ productId: toPlainText(productId), quantity, price }))
    }
  })

/** Returns the new content of an edited message; its file stays the same. */
const toEditContent = (content: InboundContent): ReceivedContent => {
  const text = "text" in content ? content.text : "media" in content ? content.media.caption : null
  return withoutFile({ kind: "edit", text: toPlainTextOrNull(text) })
}

const toReplyContent = (content: Extract<InboundContent, { readonly kind: "interactive" }>) => {
  const { callPermission, description, form } = content
  const title = toPlainText(content.title)
  return withoutFile({
    kind: "interactive",
    text: title,
    interactive: {
      type: "reply",
      id: toPlainText(content.id),
      title,
      ...(description !== undefined && { description: toPlainText(description) }),
      ...(form !== undefined && { form: { name: toPlainText(form.name), values: toFormValues(form.values) } }),
      ...(callPermission !== undefined && {
        callPermission: { ...callPermission, response: toPlainText(callPermission.response) }
      })
    }
  })
}

const callText = ({ direction, durationSeconds, event, status }: InboundCall): string => {
  const by = direction === "user_initiated" ? "Call of the contact" : "Call of the business"
  const result = status === null || status === event ? event : `${event}, ${status}`
  return toPlainText(`${by}: ${result}${durationSeconds === null ? "" : `, ${durationSeconds} seconds`}`)
}

/** Returns the data of a message that its kind does not require. */
export const toMessageDetails = (event: MessageEvent | EchoEvent | HistoryEvent): MessageDetails | null => {
  const { content } = event
  const { forwarded = null, product = null } = event.kind === "message" ? event : {}
  const media = "media" in content ? content.media : null
  const details: MessageDetails = {
    ...(media?.isVoice === true && { voice: true as const }),
    ...(media?.isAnimated === true && { animated: true as const }),
    ...(forwarded !== null && { forwarded }),
    ...(product !== null && {
      product: { catalogId: toPlainTextOrNull(product.catalogId), productId: toPlainText(product.productId) }
    }),
    ...(content.kind === "call" && { call: toPlainCall(content.call) }),
    ...(content.kind === "group" && { groupId: toPlainText(content.groupId) }),
    ...(event.kind === "history" && { history: true as const })
  }
  return Object.keys(details).length === 0 ? null : details
}

const toPlainCall = ({ callId, direction, durationSeconds, event, status }: InboundCall) => ({
  callId: toPlainText(callId),
  direction,
  event: toPlainText(event),
  status: toPlainTextOrNull(status),
  durationSeconds
})

/** Converts received content to its stored form. */
export const toReceivedContent = (
  content: InboundContent,
  chatAccountId: ChatAccountId,
  nextId: () => string,
  now: DateTime.Utc
): ReceivedContent => {
  switch (content.kind) {
    case "text":
      return withoutFile({ kind: "text", text: toPlainText(content.text) })
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return toFileContent(content.kind, content.media, chatAccountId, nextId(), now)
    case "location": {
      if (!isValidLocation(content)) return withoutFile({ kind: "unsupported" })
      const { latitude, longitude } = content
      const name = toPlainTextOrNull(content.name)
      return withoutFile({
        kind: "location",
        location: { latitude, longitude, name, address: toPlainTextOrNull(content.address) }
      })
    }
    case "contacts":
      return withoutFile({
        kind: "contacts",
        contacts: content.contacts.map(({ name, phones }) => ({
          name: toPlainText(name),
          phones: phones.map(toPlainText)
        }))
      })
    case "interactive":
      return toReplyContent(content)
    case "reaction":
      return withoutFile({ kind: "reaction", text: toPlainText(content.emoji) })
    case "order":
      return toOrderContent(content)
    case "edit":
      return toEditContent(content.content)
    case "revocation":
      return withoutFile({ kind: "revocation" })
    case "system":
      return withoutFile({ kind: "system", text: toPlainText(content.text) })
    case "call":
      return withoutFile({ kind: "system", text: callText(content.call) })
    case "group":
      return withoutFile({ kind: "system", text: toPlainTextOrNull(content.text) })
    case "unsupported":
      return withoutFile({ kind: "unsupported" })
  }
}
