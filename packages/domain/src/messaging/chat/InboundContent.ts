import type { DateTime, Schema } from "effect"
import type { MediaKind } from "./Outgoing.ts"

/** Sender as reported by the provider; a user may have no phone number. */
export interface Sender {
  readonly phone: string | null
  readonly chatUser: string | null
  /** Id in another system, if that system delivers. */
  readonly external?: string
  /** Id of the person for all business portfolios of an enterprise, if the provider reports one. */
  readonly parentUser?: string
  /** Username without a leading `@`. It can change, so it is no identity. */
  readonly username?: string
  readonly name: string | null
}

/** Ids of a person, without a name. */
export type PersonIds = Pick<Sender, "phone" | "chatUser" | "parentUser">

/** Incoming file. Its bytes stay at the provider until they are fetched. */
export interface InboundMedia {
  readonly mediaId: string
  readonly mimeType: string
  readonly sha256: string | null
  readonly caption: string | null
  readonly filename: string | null
  /** Whether the audio is a voice message. */
  readonly isVoice?: boolean
  /** Whether the sticker is animated. */
  readonly isAnimated?: boolean
  /** Temporary URL of the provider. It requires the access token. */
  readonly url?: string
}

/** Product of an order, with the unit price that the customer saw. */
export interface OrderedItem {
  readonly productId: string
  readonly quantity: number
  readonly price: { readonly amountMinor: number; readonly currency: string } | null
}

/** Advertisement or post that a message came from. */
export interface InboundReferral {
  readonly sourceType: string | null
  readonly sourceId: string | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  readonly body: string | null
  readonly mediaType: string | null
  readonly mediaUrl: string | null
  /** The provider's id of the click. */
  readonly clickId: string | null
  /** Text that the provider showed to the person before the first message. */
  readonly welcomeText: string | null
}

/** Price of a message, as far as the provider reports it. Values unknown to this version are kept. */
export interface ReportedPricing {
  /** `null` if the provider does not report it. Type and category decide the price. */
  readonly billable: boolean | null
  readonly model: string | null
  readonly category: string | null
  readonly type: string | null
  /** End of the free entry point that the message is in. */
  readonly freeEntryPointExpiresAt?: DateTime.Utc
}

/** Product of a catalogue that a message is about. */
export interface ReferredProduct {
  readonly catalogId: string | null
  readonly productId: string
}

/** Person shared in a message. */
export interface InboundSharedContact {
  readonly name: string
  readonly phones: ReadonlyArray<string>
}

/** Call of a customer or of the business. */
export interface InboundCall {
  readonly callId: string
  readonly direction: "user_initiated" | "business_initiated"
  /** The provider's name of the event or the status, in small letters, such as `connect`, `terminate` or `ringing`. */
  readonly event: string
  readonly status: string | null
  readonly durationSeconds: number | null
}

/** Content of an incoming message. */
export type InboundContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: MediaKind; readonly media: InboundMedia }
  | {
      readonly kind: "location"
      readonly latitude: number
      readonly longitude: number
      readonly name: string | null
      readonly address: string | null
    }
  | {
      readonly kind: "contacts"
      readonly contacts: ReadonlyArray<InboundSharedContact>
      /** Own phone number of the sender, as an answer to a request for it. */
      readonly ownPhone?: string
    }
  /** Tap on a button or a row. */
  | {
      readonly kind: "interactive"
      readonly id: string
      readonly title: string
      readonly description?: string
      /** Values of a completed form; `null` if the provider sent no JSON object. */
      readonly form?: { readonly name: string; readonly values: Readonly<Record<string, Schema.Json>> | null }
      /** Answer to a request for calls. */
      readonly callPermission?: {
        readonly response: string
        readonly isPermanent: boolean
        readonly expiresAt: DateTime.Utc | null
      }
    }
  /** An empty emoji removes the reaction. */
  | { readonly kind: "reaction"; readonly to: string; readonly emoji: string }
  /** Order of a customer from the catalogue of the number. */
  | {
      readonly kind: "order"
      readonly catalogId: string | null
      readonly note: string | null
      readonly items: ReadonlyArray<OrderedItem>
    }
  /** New content of an earlier message. */
  | { readonly kind: "edit"; readonly of: string; readonly content: InboundContent }
  /** Deletion of a message by its sender. */
  | { readonly kind: "revocation"; readonly of: string }
  | {
      readonly kind: "system"
      readonly text: string
      readonly newPhone: string | null
      /** The person has opened the chat for the first time, which opens the service window. */
      readonly isWelcome?: true
      /** New id of the person at the provider. */
      readonly newChatUser?: string
      readonly newParentUser?: string
      /** Hash of the new identity key of the person. */
      readonly identityHash?: string
    }
  | { readonly kind: "call"; readonly call: InboundCall }
  /** Message of a participant in a group. The group is not a conversation. */
  | { readonly kind: "group"; readonly groupId: string; readonly text: string | null }
  /** Kind unknown to this version, or not delivered by the provider. */
  | { readonly kind: "unsupported"; readonly type: string }

/** How often a message was forwarded before: a few times, or many times. */
export type Forwarding = "forwarded" | "frequently_forwarded"

/** Payment of an order, as the provider reports it. */
export interface ReportedPayment {
  /** The provider's status in small letters: `captured`, `pending` or `failed`. */
  readonly status: string
  /** Reference of the order that the business sent. */
  readonly referenceId: string | null
  /** The value is a multiple of the offset, such as 21000 with the offset 100 for 210.00. */
  readonly amount: { readonly value: number; readonly offset: number } | null
  readonly currency: string | null
  /** Transaction of the payment service. */
  readonly transaction: {
    readonly id: string | null
    readonly type: string | null
    readonly status: string | null
  } | null
}
