import { Schema } from "effect"

const optionalText = Schema.optionalKey(Schema.String)

/** What a customer writes. */
export const CustomerMessage = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  Schema.Struct({
    type: Schema.Literals(["image", "video", "audio", "document", "sticker"]),
    /** The bytes of the file, in base64. */
    data: Schema.String,
    mimeType: Schema.String,
    caption: optionalText,
    filename: optionalText,
    /** The audio was recorded as a voice message. */
    voice: Schema.optionalKey(Schema.Boolean),
    animated: Schema.optionalKey(Schema.Boolean)
  }),
  /** A quick reply of a template was tapped. */
  Schema.Struct({ type: Schema.Literal("button"), text: Schema.String, payload: Schema.String }),
  /** A button or a row of an interactive message was tapped. */
  Schema.Struct({
    type: Schema.Literal("interactive"),
    reply: Schema.Literals(["button_reply", "list_reply"]),
    id: Schema.String,
    title: Schema.String,
    description: optionalText
  }),
  /** A form was sent: of a flow, or an address. */
  Schema.Struct({
    type: Schema.Literal("form"),
    name: Schema.Literals(["flow", "address_message"]),
    body: optionalText,
    response: Schema.Record(Schema.String, Schema.Unknown)
  }),
  Schema.Struct({
    type: Schema.Literal("call_permission"),
    response: Schema.Literals(["accept", "reject"]),
    isPermanent: Schema.optionalKey(Schema.Boolean)
  }),
  /** An empty emoji removes the reaction. */
  Schema.Struct({ type: Schema.Literal("reaction"), to: Schema.String, emoji: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("location"),
    latitude: Schema.Finite,
    longitude: Schema.Finite,
    name: optionalText,
    address: optionalText,
    url: optionalText
  }),
  Schema.Struct({
    type: Schema.Literal("contacts"),
    contacts: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
  }),
  /** The customer shares the phone number after a contact request. */
  Schema.Struct({ type: Schema.Literal("shared_phone"), phone: Schema.String }),
  /** Products of the catalogue. Prices are in whole currency units, as the provider reports them. */
  Schema.Struct({
    type: Schema.Literal("order"),
    catalogId: Schema.String,
    text: optionalText,
    items: Schema.Array(
      Schema.Struct({
        productId: Schema.String,
        quantity: Schema.Int,
        price: Schema.Finite,
        currency: Schema.String
      })
    )
  }),
  /** A text, or a caption with the media in `message`, is changed. */
  Schema.Struct({
    type: Schema.Literal("edit"),
    of: Schema.String,
    text: optionalText,
    message: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  }),
  /** A message that was sent before is taken back. */
  Schema.Struct({ type: Schema.Literal("revoke"), of: Schema.String }),
  /** A kind of message that the interface does not support, such as a poll. */
  Schema.Struct({
    type: Schema.Literal("unsupported"),
    kind: Schema.optionalKey(Schema.String),
    /** Default: 131051. 131052: the file is too large. 131060: an unsupported linked device. */
    code: Schema.optionalKey(Schema.Literals([131_051, 131_052, 131_060]))
  }),
  /** A message that arrives without its content, and with an error next to it. */
  Schema.Struct({ type: Schema.Literal("broken"), kind: Schema.String }),
  /** The chat was opened for the first time. */
  Schema.Struct({ type: Schema.Literal("request_welcome") }),
  /** An unknown future type with its content. */
  Schema.Struct({ type: Schema.Literal("raw"), message: Schema.Record(Schema.String, Schema.Unknown) })
])
export type CustomerMessage = typeof CustomerMessage.Type

/** Metadata of a customer message, in addition to its content. */
export interface Writing {
  readonly replyTo?: string
  readonly fromAdvertisement?: boolean
  /** Additional fields of the advertisement referral; null removes a field. */
  readonly referral?: Readonly<Record<string, unknown>>
  readonly forwarded?: "once" | "often"
  /** Product that the customer asks about. */
  readonly product?: { readonly catalogId: string; readonly productId: string }
  /** Group in which the customer writes. */
  readonly groupId?: string
}
