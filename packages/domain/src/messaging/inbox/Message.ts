import { Effect, Schema } from "effect"
import { OtherIdentity, PhoneNumberInput } from "../../crm/index.ts"
import { isStorable, shownWith, StorableJsonObject, Timestamp, Uuid, objectShownWith } from "../../kernel/index.ts"
import { MultiLineText } from "../../platform/identity/index.ts"
import {
  Interactive,
  interactiveMembers,
  type MediaKind,
  MessageTemplateId,
  NewSharedContacts,
  Recipient,
  SharedContact,
  TemplateInputs,
  TemplateLanguage
} from "../chat/index.ts"
import { MessageDetails, MessageOrder, MessagePricing, Referral } from "./MessageDetails.ts"

export const ConversationId = Uuid.pipe(Schema.brand("ConversationId"))
export type ConversationId = typeof ConversationId.Type

export const MessageId = Uuid.pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

export const NoteId = Uuid.pipe(Schema.brand("NoteId"))
export type NoteId = typeof NoteId.Type

export const CannedReplyId = Uuid.pipe(Schema.brand("CannedReplyId"))
export type CannedReplyId = typeof CannedReplyId.Type

export const MediaId = Uuid.pipe(Schema.brand("MediaId"))
export type MediaId = typeof MediaId.Type

export const Direction = Schema.Literals(["inbound", "outbound"])
export type Direction = typeof Direction.Type

export const MessageKind = Schema.Literals([
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "interactive",
  "template",
  "reaction",
  "provider",
  "order",
  "edit",
  "revocation",
  "system",
  "unsupported"
])
export type MessageKind = typeof MessageKind.Type

/**
 * Incoming messages are `received`. Outgoing messages are `queued`, then `sent`, `delivered`, `read`, or `failed`. A message is `in_doubt` if the
 * provider's answer was lost, until a receipt arrives.
 */
export const MessageStatus = Schema.Literals(["received", "queued", "in_doubt", "sent", "delivered", "read", "failed"])
export type MessageStatus = typeof MessageStatus.Type

/**
 * Author of a message. The id belongs to the contact, the user, the automation token or the plugin, the automation or the broadcast. Messages written
 * in the provider's own app have the kind `phone_app` and the id of the chat account.
 */
export const MessageAuthor = Schema.Struct({
  kind: Schema.Literals(["contact", "user", "token", "automation", "broadcast", "operator", "phone_app"]),
  id: Schema.String,
  runId: Schema.optionalKey(Uuid).annotateKey({
    description: "Run of the automation or workflow that wrote the message; absent for other authors."
  })
}).annotate({ identifier: "MessageAuthor" })
export type MessageAuthor = typeof MessageAuthor.Type

/** Identity of the contact to use instead of the last sender. */
export const RecipientChoice = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("phone"), value: PhoneNumberInput }),
  Schema.Struct({ kind: Schema.Literal("chat_user"), value: OtherIdentity.fields.value }),
  Schema.Struct({ kind: Schema.Literal("external"), value: OtherIdentity.fields.value })
]).annotate({ identifier: "RecipientChoice" })
export type RecipientChoice = typeof RecipientChoice.Type

/** Reason why a message was not sent, or why it still waits. `providerCode` is the provider's code; `null` without one. */
export const MessageError = Schema.Struct({
  code: Schema.String,
  providerCode: Schema.NullOr(Schema.Int),
  reason: Schema.String,
  dueAt: Schema.optionalKey(Schema.String).annotateKey({
    description: "Time of the next attempt, in ISO 8601. Only for queued messages."
  })
}).annotate({ identifier: "MessageError" })
export type MessageError = typeof MessageError.Type

/** File of a message, in brief. */
export const MessageMedia = Schema.Struct({
  id: MediaId,
  mimeType: Schema.String,
  filename: Schema.NullOr(Schema.String)
}).annotate({ identifier: "MessageMedia" })
export type MessageMedia = typeof MessageMedia.Type

/** Place on the map. */
export const MessageLocation = Schema.Struct({
  latitude: Schema.Finite.check(Schema.isBetween({ minimum: -90, maximum: 90 })),
  longitude: Schema.Finite.check(Schema.isBetween({ minimum: -180, maximum: 180 })),
  name: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Place" })
export type MessageLocation = typeof MessageLocation.Type

/** Template that a message uses. */
export const MessageTemplateUse = Schema.Struct({
  id: MessageTemplateId,
  name: Schema.String,
  language: Schema.String,
  values: TemplateInputs
}).annotate({ identifier: "MessageTemplateUse" })
export type MessageTemplateUse = typeof MessageTemplateUse.Type

/** Button or row that the contact has tapped. */
export const ButtonReply = Schema.Struct({
  type: Schema.Literal("reply"),
  id: Schema.String,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String).annotateKey({ description: "Second line of the row." }),
  form: Schema.optionalKey(
    Schema.Struct({ name: Schema.String, values: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)) })
  ).annotateKey({ description: "Values of a completed form; `null` if the provider sent none." }),
  callPermission: Schema.optionalKey(
    Schema.Struct({ response: Schema.String, isPermanent: Schema.Boolean, expiresAt: Schema.NullOr(Timestamp) })
  ).annotateKey({ description: "Answer to a request for calls." })
}).annotate({
  identifier: "Reply"
})

/** Elements of an outgoing message, or the choice of the contact. */
const ShownInteractive: Schema.Codec<Interactive | typeof ButtonReply.Type, Interactive | typeof ButtonReply.Encoded> =
  Schema.Union([...interactiveMembers, ButtonReply])

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withConstructorDefault(Effect.succeed(null)))

/** Message of a conversation. Its fields depend on its kind; a reaction has its emoji as text. */
export class Message extends Schema.Class<Message>("Message")(
  {
    id: MessageId,
    conversationId: ConversationId,
    direction: Direction,
    kind: MessageKind,
    text: Schema.NullOr(Schema.String),
    media: Schema.NullOr(MessageMedia),
    template: Schema.NullOr(MessageTemplateUse),
    interactive: Schema.NullOr(ShownInteractive),
    location: Schema.NullOr(MessageLocation),
    contacts: Schema.NullOr(Schema.Array(SharedContact)),
    order: orNull(MessageOrder),
    referral: orNull(Referral),
    details: orNull(MessageDetails),
    /**
     * Additional provider data that other fields do not contain; `{ "truncated": text }` for long data. Outgoing messages have their options
     * `linkPreview` and `voice` here, and the payload of the kind `provider`.
     */
    raw: Schema.Union([Schema.Json]).pipe(
      Schema.withConstructorDefault(Effect.succeed(null)),
      shownWith("conversations.read", "contacts.read")
    ),
    /** Message of this conversation that this one answers, reacts to, edits or revokes. */
    replyToId: Schema.NullOr(MessageId),
    author: MessageAuthor,
    recipient: Schema.NullOr(Recipient)
      .annotateKey({ description: "Destination address. Null for inbound messages." })
      .pipe(shownWith("contacts.read")),
    status: MessageStatus,
    error: Schema.NullOr(MessageError),
    pricing: orNull(MessagePricing),
    providerMessageId: Schema.NullOr(Schema.String),
    /** Time of writing. For incoming messages, the provider's time. */
    at: Timestamp,
    sentAt: Schema.NullOr(Timestamp),
    deliveredAt: Schema.NullOr(Timestamp),
    readAt: Schema.NullOr(Timestamp),
    /** Time at which the contact first played the voice message. */
    playedAt: orNull(Timestamp),
    failedAt: Schema.NullOr(Timestamp),
    /** Time of the last change by a message of the kind `edit`. That message contains the new text. */
    editedAt: orNull(Timestamp),
    /** Time of the revocation by a message of the kind `revocation`. */
    revokedAt: orNull(Timestamp),
    createdAt: Timestamp
  },
  objectShownWith("conversations.read")
) {}

const bounded = (most: number) =>
  MultiLineText.check(Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }))

const recipientFields = { recipient: Schema.optionalKey(RecipientChoice) }

const reply = { replyToId: Schema.optionalKey(MessageId), ...recipientFields }

const characters = new Intl.Segmenter()

const pictograph = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20E3]/u

/** Whether the text is one visible character, and a picture. */
const isOneEmoji = (text: string): boolean => pictograph.test(text) && Array.from(characters.segment(text)).length === 1

/** One schema for each kind, which limits validation errors to the fields of that kind. */
const file = <const Kind extends MediaKind>(kind: Kind) =>
  Schema.Struct({
    kind: Schema.Literal(kind),
    mediaId: Schema.optionalKey(MediaId).annotateKey({ description: "Uploaded file. Either this or `link`." }),
    link: Schema.optionalKey(
      Schema.String.check(isStorable, Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" }))
    ).annotateKey({
      description: "Public https address of the file. Parley fetches it once, before the message is sent."
    }),
    caption: Schema.optionalKey(bounded(1_024)),
    ...reply
  })

/** Content to send: free-form messages within the service window, templates at any time. */
export const NewMessage = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("text"),
    text: bounded(4_096),
    linkPreview: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Whether the first link of the text has a preview. Default: false."
    }),
    ...reply
  }),
  file("image"),
  file("video"),
  Schema.Struct({
    ...file("audio").fields,
    voice: Schema.optionalKey(Schema.Boolean).annotateKey({
      description:
        "Whether the file is shown as a voice message. Requires a file of the type audio/ogg. Default: false."
    })
  }),
  file("document"),
  file("sticker"),
  Schema.Struct({ kind: Schema.Literal("interactive"), interactive: Interactive, ...reply }),
  Schema.Struct({
    kind: Schema.Literal("location"),
    location: Schema.Struct({
      latitude: MessageLocation.fields.latitude,
      longitude: MessageLocation.fields.longitude,
      name: Schema.optionalKey(bounded(200)),
      address: Schema.optionalKey(bounded(500))
    }),
    ...reply
  }),
  Schema.Struct({ kind: Schema.Literal("contacts"), contacts: NewSharedContacts, ...reply }),
  Schema.Struct({
    kind: Schema.Literal("reaction"),
    replyToId: MessageId,
    /** An empty emoji removes the reaction. */
    emoji: Schema.String.check(
      isStorable,
      Schema.isMaxCodePoints(16, { message: "Expected one emoji" }),
      Schema.makeFilter((text: string) => text === "" || isOneEmoji(text) || "Expected one emoji")
    ),
    ...recipientFields
  }),
  Schema.Struct({
    kind: Schema.Literal("provider"),
    payload: StorableJsonObject.annotateKey({
      description:
        "Message in the form of the provider: `type`, and the object of that type. At most 64 KiB. Requires the permission `messages.send_provider`."
    }),
    ...reply
  }),
  Schema.Struct({
    kind: Schema.Literal("template"),
    template: Schema.Union([
      Schema.Struct({ id: MessageTemplateId, values: Schema.optionalKey(TemplateInputs) }),
      Schema.Struct({
        name: Schema.String.check(
          isStorable,
          Schema.isMaxCodePoints(512, { message: "Expected at most 512 characters" })
        ),
        language: TemplateLanguage,
        values: Schema.optionalKey(TemplateInputs)
      })
    ]),
    ...reply
  })
]).annotate({ identifier: "NewMessage" })
export type NewMessage = typeof NewMessage.Type

/** Retry of a message. A message in doubt may have been sent, so its retry requires consent to a duplicate. */
export const MessageRetry = Schema.Struct({
  allowDuplicate: Schema.optionalKey(Schema.Boolean),
  ...recipientFields
}).annotate({ identifier: "MessageRetry" })
export type MessageRetry = typeof MessageRetry.Type
