import { Schema } from "effect"
import { type Locale, MultiLineText } from "../../platform/identity/index.ts"
import type { SharedContact } from "./SharedContact.ts"
import type { Interactive } from "./interactive/Interactive.ts"

/** Recipient of a message: a phone number, the provider's id of a user without a number, or the person's id in another system. */
export const Recipient = Schema.Struct({
  kind: Schema.Literals(["phone", "chat_user", "external"]),
  value: Schema.String
}).annotate({ identifier: "Recipient" })
export type Recipient = typeof Recipient.Type

export const MediaKind = Schema.Literals(["image", "video", "audio", "document", "sticker"])
export type MediaKind = typeof MediaKind.Type

/** Value of one variable of a template, by name or by number as text. */
export const TemplateValues = Schema.Record(
  Schema.String,
  MultiLineText.check(Schema.isMaxCodePoints(1_024, { message: "Expected at most 1024 characters" }))
)
export type TemplateValues = typeof TemplateValues.Type

/** Values of a template: the variables of its parts, and the file of its header, if any. */
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

export type OutgoingContent =
  | { readonly kind: "text"; readonly text: string; readonly linkPreview?: boolean }
  | {
      readonly kind: MediaKind
      readonly mediaId: string
      readonly caption: string | null
      readonly filename: string | null
      /** Whether audio is shown as a voice message. */
      readonly voice?: boolean
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
  | { readonly kind: "contacts"; readonly contacts: ReadonlyArray<SharedContact> }
  /** Message in the form of the provider: its type, and the object of that type. */
  | { readonly kind: "provider"; readonly payload: Readonly<Record<string, Schema.Json>> }

export interface OutgoingMessage {
  readonly to: Recipient
  readonly content: OutgoingContent
  /** The provider's id of the message that this one replies to. */
  readonly replyTo: string | null
  /** Returned with every receipt, which identifies a call whose answer was lost. */
  readonly reference: string
}
