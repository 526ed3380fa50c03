import type { DateTime, Schema } from "effect"
import type { MediaKind } from "./Outgoing.ts"
import type { ChatAccountRestriction, NoticeTopic } from "./ChatAccount.ts"
import type { Remedy } from "./errors.ts"

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

/** Delivery of an event, its arrival, and the position of the event in it. */
export interface Arrival {
  readonly deliveryId: string
  readonly at: DateTime.Utc
  readonly position: number
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

/** Message statuses in receipts. */
export type ReceiptStatus = "sent" | "delivered" | "read" | "played" | "failed"

/** How often a message was forwarded before: a few times, or many times. */
export type Forwarding = "forwarded" | "frequently_forwarded"

/** Category of a template. */
type ReportedCategory = "marketing" | "utility" | "authentication"

/** Quality rating by the provider. */
type ReportedQuality = "green" | "yellow" | "red" | "unknown"

/** Event in a provider's delivery, about one of its numbers. */
export type InboundEvent =
  | {
      readonly kind: "message"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly from: Sender
      readonly content: InboundContent
      readonly replyTo: string | null
      /** Whether the message came from an advertisement. A reply within one day starts the free entry point, which affects prices only. */
      readonly fromAdvertisement: boolean
      readonly referral?: InboundReferral
      readonly forwarded?: Forwarding
      readonly product?: ReferredProduct
      /** The provider's message, if the other fields do not contain all of it. */
      readonly raw?: Schema.Json
    }
  /** Message that the business wrote in the provider's own app, outside of Parley. */
  | {
      readonly kind: "echo"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly to: PersonIds & { readonly name?: string | null }
      readonly content: InboundContent
      readonly replyTo: string | null
      readonly raw?: Schema.Json
    }
  /** Older message, from before the number was connected. It starts nothing and counts nowhere. */
  | {
      readonly kind: "history"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly direction: "inbound" | "outbound"
      readonly person: PersonIds
      readonly content: InboundContent
      readonly replyTo: string | null
      /** The provider's status of the message, in small letters, such as `read`. */
      readonly status: string | null
      readonly raw?: Schema.Json
    }
  /** Entry of the address book in the provider's own app. */
  | {
      readonly kind: "address"
      readonly phoneId: string
      readonly at: DateTime.Utc
      readonly person: PersonIds
      readonly name: string | null
      readonly action: "add" | "remove"
    }
  | {
      readonly kind: "receipt"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly status: ReceiptStatus
      readonly to: PersonIds & Pick<Sender, "username">
      readonly reference: string | null
      readonly error: { readonly code: number; readonly reason: string; readonly remedy: Remedy } | null
      readonly pricing?: ReportedPricing
      /** Group that the message was sent to. */
      readonly groupId?: string
    }
  | {
      readonly kind: "preference"
      readonly phoneId: string
      readonly at: DateTime.Utc
      readonly from: PersonIds
      readonly marketing: "stop" | "resume"
    }
  | {
      readonly kind: "template"
      readonly businessId: string
      readonly externalId: string
      readonly name: string
      readonly language: string
      /** `null` if the event does not change the status, such as `FLAGGED` or `LOCKED`. */
      readonly status: "approved" | "rejected" | "pending" | "paused" | "disabled" | null
      readonly reason: string | null
      readonly quality: ReportedQuality | null
      readonly category: ReportedCategory | null
      /** The provider's name of the status event in capitals, such as `REINSTATED`. It is missing for other events. */
      readonly event?: string
      /** The provider's advice after a rejection. */
      readonly recommendation?: string
      /** Further data of the status event, such as the title `FIRST_PAUSE`. */
      readonly detail?: { readonly title: string | null; readonly description: string | null }
      readonly disabledAt?: DateTime.Utc
      readonly previousQuality?: ReportedQuality
      readonly previousCategory?: ReportedCategory
      /** Category that the provider assigns at that time; `at` is `null` if the provider reports none. */
      readonly impendingCategory?: { readonly category: ReportedCategory; readonly at: DateTime.Utc | null }
      /** Whether the components have changed, so the template must be fetched. */
      readonly hasNewComponents?: boolean
    }
  | {
      readonly kind: "number"
      readonly businessId: string
      readonly phoneId: string | null
      readonly displayPhone: string | null
      readonly quality: ReportedQuality | null
      readonly messagingLimit: string | null
      /** Messages per second after an upgrade of the number. */
      readonly throughputPerSecond?: number
    }
  /** Decision about the whole business account, or about one of its numbers. */
  | {
      readonly kind: "account"
      readonly businessId: string
      /** Number that the decision is about, if it is about one. */
      readonly displayPhone?: string
      readonly event: string
      /** `null` if the decision does not affect sending. */
      readonly sending: "stopped" | "restored" | null
      /** Whether the app has lost or regained its access to the account. */
      readonly connection?: "lost" | "restored"
      /** Complete list of restrictions after a change of them. */
      readonly restrictions?: ReadonlyArray<ChatAccountRestriction>
      readonly reason: string | null
    }
  /** Information about an account or a number that changes no other data. */
  | {
      readonly kind: "notice"
      readonly businessId: string
      readonly phoneId: string | null
      readonly displayPhone: string | null
      readonly topic: NoticeTopic
      /** The provider's name of the event, such as `PIN_CHANGED`. */
      readonly event: string
      readonly detail: string | null
    }
  /** Field, or kind within a field, unknown to this version. It is stored and counted, and never an error. */
  | { readonly kind: "unknown"; readonly businessId: string; readonly phoneId: string | null; readonly field: string }

/** Event with its arrival. Its position among all events does not depend on the time of processing. */
export type ReceivedEvent<Event extends InboundEvent = InboundEvent> = Event & { readonly arrival: Arrival }
