import {
  Message,
  MessageError,
  MessageMedia,
  MessagePricing,
  MessageLocation,
  Recipient,
  Referral
} from "@parley/domain/messaging"
import {
  bySchema,
  flat,
  json,
  orAbsent,
  orNull,
  rendering,
  struct,
  text,
  time,
  uuid
} from "../../rendering/rendering.ts"

const { contacts, details, interactive, order, template } = Message.fields

export const messageRendering = () =>
  rendering(
    struct<Message>({
      id: uuid,
      conversationId: uuid,
      direction: text,
      kind: text,
      text: orNull(text),
      media: orNull(flat(MessageMedia)),
      template: bySchema(template),
      interactive: bySchema(interactive),
      location: orNull(flat(MessageLocation)),
      contacts: bySchema(contacts),
      order: bySchema(order),
      referral: orNull(flat(Referral)),
      details: bySchema(details),
      raw: json,
      replyToId: orNull(uuid),
      author: struct<Message["author"]>({ kind: text, id: text, runId: orAbsent(uuid) }),
      recipient: orNull(flat(Recipient)),
      status: text,
      error: orNull(flat(MessageError)),
      pricing: orNull(flat(MessagePricing)),
      providerMessageId: orNull(text),
      at: time,
      sentAt: orNull(time),
      deliveredAt: orNull(time),
      readAt: orNull(time),
      playedAt: orNull(time),
      failedAt: orNull(time),
      editedAt: orNull(time),
      revokedAt: orNull(time),
      createdAt: time
    })
  )
