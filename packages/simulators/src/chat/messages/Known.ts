import type { Refusal } from "../failures.ts"
import type { KeptFile, KeptTemplate } from "../World.ts"

/** Lookups for the checks of a message. */
export interface Known {
  readonly businessPhone: string
  readonly now: number
  /** Marketing messages have their own call, which takes templates only. */
  readonly api: "cloud" | "marketing"
  readonly isForGroup: boolean
  /** Whether the account has a catalog, which messages with products need. */
  readonly hasCatalog: boolean
  readonly file: (id: string) => KeptFile | undefined
  readonly message: (id: string) => { readonly at: number; readonly isReaction: boolean } | undefined
  readonly template: (name: string, language: string) => KeptTemplate | undefined
}

export const messageTypes = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "interactive",
  "template",
  "reaction",
  "location",
  "contacts",
  "pin"
] as const
export type MessageType = (typeof messageTypes)[number]

/** Content of a message that has the form that the provider asks for. */
export interface CheckedContent {
  readonly template: KeptTemplate | null
  readonly text: string
  readonly isVoice: boolean
  /** Error that the provider finds only after it accepted the message. */
  readonly lateFailure: Refusal | null
}

export type CheckedRecipient =
  | { readonly kind: "phone"; readonly input: string; readonly phone: string; readonly userId: string | null }
  | { readonly kind: "user"; readonly input: string; readonly userId: string }
  | { readonly kind: "group"; readonly input: string; readonly groupId: string }

export interface CheckedMessage extends CheckedContent {
  readonly to: CheckedRecipient
  readonly type: MessageType
  readonly reference: string | null
  readonly identityHash: string | null
}

export const plain = (text = ""): CheckedContent => ({ template: null, text, isVoice: false, lateFailure: null })
