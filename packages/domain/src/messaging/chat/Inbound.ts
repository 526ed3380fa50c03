import type { DateTime, Schema } from "effect"
import type { MediaKind } from "./Outgoing.ts"
import type { Remedy } from "./errors.ts"

/** Sender as reported by the provider; a user may have no phone number. */
export interface Sender {
  readonly phone: string | null
  readonly chatUser: string | null
  /** Id in another system, if that system delivers. */
  readonly external?: string
  readonly name: string | null
}

/** Incoming file. Its bytes stay at the provider until they are fetched. */
export interface InboundMedia {
  readonly mediaId: string
  readonly mimeType: string
  readonly sha256: string | null
  readonly caption: string | null
  readonly filename: string | null
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

/** Price of a message, as far as the provider reports it. */
export interface ReportedPricing {
  readonly billable: boolean
  readonly model: string | null
  readonly category: string | null
  readonly type: string | null
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
      readonly contacts: ReadonlyArray<{ readonly name: string; readonly phones: ReadonlyArray<string> }>
    }
  /** Tap on a button or a row. */
  | { readonly kind: "interactive"; readonly id: string; readonly title: string }
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
  | { readonly kind: "system"; readonly text: string; readonly newPhone: string | null }
  /** Kind unknown to this version, or not delivered by the provider. */
  | { readonly kind: "unsupported"; readonly type: string }

/** Message statuses in receipts. */
export type ReceiptStatus = "sent" | "delivered" | "read" | "failed"

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
      /** Whether the message came from an advertisement, which opens the longer window. */
      readonly fromAdvertisement: boolean
      readonly referral?: InboundReferral
      /** The provider's message, if the other fields do not contain all of it. */
      readonly raw?: Schema.Json
    }
  /** Message that the business wrote in the provider's own app, outside of Parley. */
  | {
      readonly kind: "echo"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly to: Pick<Sender, "phone" | "chatUser">
      readonly content: InboundContent
      readonly replyTo: string | null
      readonly raw?: Schema.Json
    }
  | {
      readonly kind: "receipt"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly status: ReceiptStatus
      readonly to: Pick<Sender, "phone" | "chatUser">
      readonly reference: string | null
      readonly error: { readonly code: number; readonly reason: string; readonly remedy: Remedy } | null
      readonly pricing?: ReportedPricing
    }
  | {
      readonly kind: "preference"
      readonly phoneId: string
      readonly at: DateTime.Utc
      readonly from: Pick<Sender, "phone" | "chatUser">
      readonly marketing: "stop" | "resume"
    }
  | {
      readonly kind: "template"
      readonly businessId: string
      readonly externalId: string
      readonly name: string
      readonly language: string
      /** `null` if only the quality or the category has changed. */
      readonly status: "approved" | "rejected" | "pending" | "paused" | "disabled" | null
      readonly reason: string | null
      readonly quality: "green" | "yellow" | "red" | "unknown" | null
      readonly category: "marketing" | "utility" | "authentication" | null
    }
  | {
      readonly kind: "number"
      readonly businessId: string
      readonly phoneId: string | null
      readonly displayPhone: string | null
      readonly quality: "green" | "yellow" | "red" | "unknown" | null
      readonly messagingLimit: string | null
    }
  /** Decision about the whole business account. */
  | {
      readonly kind: "account"
      readonly businessId: string
      readonly event: string
      /** `null` if the decision does not affect sending. */
      readonly sending: "stopped" | "restored" | null
      readonly reason: string | null
    }
  /** Field, or kind within a field, unknown to this version. It is stored and counted, and never an error. */
  | { readonly kind: "unknown"; readonly businessId: string; readonly phoneId: string | null; readonly field: string }

/** Event with its arrival. Its position among all events does not depend on the time of processing. */
export type ReceivedEvent<Event extends InboundEvent = InboundEvent> = Event & { readonly arrival: Arrival }
