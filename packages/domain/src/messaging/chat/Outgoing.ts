import { Schema } from "effect"
import { isStorable } from "../../kernel/index.ts"
import { SingleLineText, MultiLineText } from "../../platform/identity/index.ts"
import type { FilledTemplate } from "./templates/FilledTemplate.ts"

/** Recipient of a message: a phone number, the provider's id of a user without a number, or the person's id in another system. */
export const Recipient = Schema.Struct({
  kind: Schema.Literals(["phone", "chat_user", "external"]),
  value: Schema.String
}).annotate({ identifier: "Recipient" })
export type Recipient = typeof Recipient.Type

export const MediaKind = Schema.Literals(["image", "video", "audio", "document", "sticker"])
export type MediaKind = typeof MediaKind.Type

const Title = SingleLineText.check(Schema.isMaxCodePoints(20, { message: "Expected at most 20 characters" }))
const RowTitle = SingleLineText.check(Schema.isMaxCodePoints(24, { message: "Expected at most 24 characters" }))
const RowDescription = SingleLineText.check(Schema.isMaxCodePoints(72, { message: "Expected at most 72 characters" }))
const ReplyId = Schema.String.check(
  isStorable,
  Schema.isBetweenCodePoints(1, 200, { message: "Expected 1 to 200 characters" })
)
const InteractiveBody = MultiLineText.check(
  Schema.isBetweenCodePoints(1, 1_024, { message: "Expected 1 to 1024 characters" })
)

/** Message with reply buttons. */
export const ReplyButtons = Schema.Struct({
  type: Schema.Literal("buttons"),
  body: InteractiveBody,
  buttons: Schema.Array(Schema.Struct({ id: ReplyId, title: Title })).check(
    Schema.isBetweenLength(1, 3, { message: "Expected 1 to 3 buttons" })
  )
})

/** Message with a list of choices. */
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

/** Interactive elements of a message. */
export const Interactive = Schema.Union([ReplyButtons, ChoiceList]).annotate({ identifier: "Interactive" })
export type Interactive = typeof Interactive.Type

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

export interface OutgoingMessage {
  readonly to: Recipient
  readonly content: OutgoingContent
  /** The provider's id of the message that this one replies to. */
  readonly replyTo: string | null
  /** Returned with every receipt, which identifies a call whose answer was lost. */
  readonly reference: string
}
