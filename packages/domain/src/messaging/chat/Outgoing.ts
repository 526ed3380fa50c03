import { Schema } from "effect"
import { type Locale, SingleLineText, MultiLineText } from "../../platform/identity/index.ts"

/** Whom a message goes to: a phone number, the provider's id of a user who has none, or the id that another system knows the person by. */
export const Recipient = Schema.Struct({
  kind: Schema.Literals(["phone", "chat_user", "external"]),
  value: Schema.String
}).annotate({ identifier: "Recipient" })
export type Recipient = typeof Recipient.Type

/** The kinds of files that a message can carry. */
export const MediaKind = Schema.Literals(["image", "video", "audio", "document", "sticker"])
export type MediaKind = typeof MediaKind.Type

const Title = SingleLineText.check(Schema.isMaxCodePoints(20, { message: "Expected at most 20 characters" }))
const RowTitle = SingleLineText.check(Schema.isMaxCodePoints(24, { message: "Expected at most 24 characters" }))
const RowDescription = SingleLineText.check(Schema.isMaxCodePoints(72, { message: "Expected at most 72 characters" }))
const ReplyId = Schema.String.check(Schema.isBetweenCodePoints(1, 200, { message: "Expected 1 to 200 characters" }))
const InteractiveBody = MultiLineText.check(
  Schema.isBetweenCodePoints(1, 1_024, { message: "Expected 1 to 1024 characters" })
)

/** A message with buttons to tap. */
export const ReplyButtons = Schema.Struct({
  type: Schema.Literal("buttons"),
  body: InteractiveBody,
  buttons: Schema.Array(Schema.Struct({ id: ReplyId, title: Title })).check(
    Schema.isBetweenLength(1, 3, { message: "Expected 1 to 3 buttons" })
  )
})

/** A message with a list to choose from. */
export const ChoiceList = Schema.Struct({
  type: Schema.Literal("list"),
  body: InteractiveBody,
  button: Title,
  sections: Schema.Array(
    Schema.Struct({
      title: Schema.optionalKey(RowTitle),
      rows: Schema.Array(
        Schema.Struct({ id: ReplyId, title: RowTitle, description: Schema.optionalKey(RowDescription) })
      ).check(Schema.isBetweenLength(1, 10, { message: "Expected 1 to 10 rows" }))
    })
  ).check(Schema.isBetweenLength(1, 10, { message: "Expected 1 to 10 sections" }))
})

/** What can be tapped in a message. */
export const Interactive = Schema.Union([ReplyButtons, ChoiceList]).annotate({ identifier: "Interactive" })
export type Interactive = typeof Interactive.Type

/** The value of one variable of a template: by its name, or by its number as a text. */
export const TemplateValues = Schema.Record(
  Schema.String,
  MultiLineText.check(Schema.isMaxCodePoints(1_024, { message: "Expected at most 1024 characters" }))
)
export type TemplateValues = typeof TemplateValues.Type

/** What fills a template: the variables of its parts, and the file of its header if it has one. */
export interface FilledTemplate {
  readonly name: string
  readonly language: typeof Locale.Type
  readonly named: boolean
  readonly header:
    | { readonly kind: "none" }
    | { readonly kind: "text"; readonly values: TemplateValues }
    | {
        readonly kind: "media"
        readonly media: Exclude<MediaKind, "audio" | "sticker">
        readonly mediaId: string
        readonly filename: string | null
      }
    | { readonly kind: "location"; readonly latitude: number; readonly longitude: number }
  readonly body: TemplateValues
  readonly buttons: ReadonlyArray<{
    readonly index: number
    readonly type: "url" | "quick_reply" | "copy_code"
    readonly value: string
  }>
}

/** What is in a message that goes out. */
export type OutgoingContent =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: MediaKind
      readonly mediaId: string
      readonly caption: string | null
      readonly filename: string | null
    }
  | { readonly kind: "interactive"; readonly interactive: Interactive }
  | { readonly kind: "template"; readonly template: FilledTemplate }
  | { readonly kind: "reaction"; readonly to: string; readonly emoji: string }
  | {
      readonly kind: "location"
      readonly latitude: number
      readonly longitude: number
      readonly name: string | null
      readonly address: string | null
    }
  | {
      readonly kind: "contacts"
      readonly contacts: ReadonlyArray<{ readonly name: string; readonly phones: ReadonlyArray<string> }>
    }

/** A message that goes out. */
export interface OutgoingMessage {
  readonly to: Recipient
  readonly content: OutgoingContent
  /** The provider's id of the message that this one replies to. */
  readonly replyTo: string | null
  /** Comes back with every receipt, so that a call whose answer was lost can be matched. */
  readonly reference: string
}
