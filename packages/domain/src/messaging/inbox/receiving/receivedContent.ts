import type { DateTime } from "effect"
import type { ChatAccountId, InboundContent, InboundMedia, MediaKind } from "../../chat/index.ts"
import { Media } from "../MediaLibrary.ts"
import { MediaId, type Message } from "../Message.ts"
import { sanitizeFilename } from "../mediaTypes.ts"
import { toPlainTextOrNull, toPlainText } from "./plainText.ts"

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
    case "interactive": {
      const title = toPlainText(content.title)
      return withoutFile({
        kind: "interactive",
        text: title,
        interactive: { type: "reply", id: toPlainText(content.id), title }
      })
    }
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
    case "unsupported":
      return withoutFile({ kind: "unsupported" })
  }
}
