import { Schema } from "effect"
import type { SharedContact } from "./SharedContact.ts"
import type { Interactive } from "./interactive/Interactive.ts"
import type { FilledTemplate } from "./templates/FilledTemplate.ts"

/** Recipient of a message: a phone number, the provider's id of a user without a number, or the person's id in another system. */
export const Recipient = Schema.Struct({
  kind: Schema.Literals(["phone", "chat_user", "external"]),
  value: Schema.String
}).annotate({ identifier: "Recipient" })
export type Recipient = typeof Recipient.Type

export const MediaKind = Schema.Literals(["image", "video", "audio", "document", "sticker"])
export type MediaKind = typeof MediaKind.Type

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
