import type { DateTime } from "effect"
import type { ChatAccountId, InboundContent, InboundMedia, MediaKind } from "../../chat/index.ts"
import { Media } from "../MediaLibrary.ts"
import { MediaId, type Message } from "../Message.ts"
import { plainFilename } from "../mediaTypes.ts"
import { plainOrNull, plainText } from "./plainText.ts"

/** What of a message depends on its kind, and the file that comes with it. */
export interface Received {
  readonly parts: Pick<Message, "kind" | "text" | "media" | "interactive" | "location" | "contacts" | "order">
  readonly file: Media | null
}

const without = { text: null, media: null, interactive: null, location: null, contacts: null, order: null } as const

const withoutFile = (parts: Partial<Received["parts"]> & Pick<Message, "kind">): Received => ({
  parts: { ...without, ...parts },
  file: null
})

const fileOf = (
  kind: MediaKind,
  media: InboundMedia,
  chatAccountId: ChatAccountId,
  id: string,
  createdAt: DateTime.Utc
): Received => {
  const file = new Media({
    id: MediaId.make(id),
    kind,
    mimeType: plainText(media.mimeType),
    filename: media.filename === null ? null : plainFilename(media.filename),
    size: null,
    state: "remote",
    fileId: null,
    remote: { chatAccountId, mediaId: plainText(media.mediaId) },
    isUsed: true,
    createdAt
  })
  const { filename, mimeType } = file
  return {
    parts: { ...without, kind, text: plainOrNull(media.caption), media: { id: file.id, mimeType, filename } },
    file
  }
}

const isOnEarth = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

const orderOf = ({ catalogId, items, note }: Extract<InboundContent, { readonly kind: "order" }>) =>
  withoutFile({
    kind: "order",
    text: plainOrNull(note),
    order: {
      catalogId: plainOrNull(catalogId),
      items: items.map(({ price, productId, quantity }) => ({ productId: plainText(productId), quantity, price }))
    }
  })

/** The new content of an edited message; its file stays the same. */
const editOf = (content: InboundContent): Received => {
  const text = "text" in content ? content.text : "media" in content ? content.media.caption : null
  return withoutFile({ kind: "edit", text: plainOrNull(text) })
}

/** What was written, as it is kept. */
export const contentOf = (
  content: InboundContent,
  chatAccountId: ChatAccountId,
  nextId: () => string,
  now: DateTime.Utc
): Received => {
  switch (content.kind) {
    case "text":
      return withoutFile({ kind: "text", text: plainText(content.text) })
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return fileOf(content.kind, content.media, chatAccountId, nextId(), now)
    case "location": {
      if (!isOnEarth(content)) return withoutFile({ kind: "unsupported" })
      const { latitude, longitude } = content
      const name = plainOrNull(content.name)
      return withoutFile({
        kind: "location",
        location: { latitude, longitude, name, address: plainOrNull(content.address) }
      })
    }
    case "contacts":
      return withoutFile({
        kind: "contacts",
        contacts: content.contacts.map(({ name, phones }) => ({ name: plainText(name), phones: phones.map(plainText) }))
      })
    case "interactive": {
      const title = plainText(content.title)
      return withoutFile({
        kind: "interactive",
        text: title,
        interactive: { type: "reply", id: plainText(content.id), title }
      })
    }
    case "reaction":
      return withoutFile({ kind: "reaction", text: plainText(content.emoji) })
    case "order":
      return orderOf(content)
    case "edit":
      return editOf(content.content)
    case "revocation":
      return withoutFile({ kind: "revocation" })
    case "system":
      return withoutFile({ kind: "system", text: plainText(content.text) })
    case "unsupported":
      return withoutFile({ kind: "unsupported" })
  }
}
