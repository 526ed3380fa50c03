import type { DateTime, Schema } from "effect"
import type { MediaKind } from "./Outgoing.ts"
import type { Remedy } from "./errors.ts"

/** The sender, as far as the provider gives it: a user may have no phone number. */
export interface Sender {
  readonly phone: string | null
  readonly chatUser: string | null
  /** The id that another system knows them by, where that is what delivers. */
  readonly external?: string
  readonly name: string | null
}

/** A file that came in; its bytes stay with the provider until they are fetched. */
export interface InboundMedia {
  readonly mediaId: string
  readonly mimeType: string
  readonly sha256: string | null
  readonly caption: string | null
  readonly filename: string | null
}

/** The delivery that an event came in, its arrival, and the position of the event in it. */
export interface Arrival {
  readonly deliveryId: string
  readonly at: DateTime.Utc
  readonly position: number
}

/** One product of an order. Its price is what the customer was shown, for one of it. */
export interface OrderedItem {
  readonly productId: string
  readonly quantity: number
  readonly price: { readonly amountMinor: number; readonly currency: string } | null
}

/** The advertisement, or the post, that a message came from. */
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

/** What the provider takes for a message, as far as it says so. */
export interface ReportedPricing {
  readonly billable: boolean
  readonly model: string | null
  readonly category: string | null
  readonly type: string | null
}

/** What is in a message that came in. */
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
  /** A button or a row was tapped. */
  | { readonly kind: "interactive"; readonly id: string; readonly title: string }
  /** An empty emoji takes the reaction back. */
  | { readonly kind: "reaction"; readonly to: string; readonly emoji: string }
  /** What a customer orders from the catalogue that the number shows. */
  | {
      readonly kind: "order"
      readonly catalogId: string | null
      readonly note: string | null
      readonly items: ReadonlyArray<OrderedItem>
    }
  /** A message that was sent before says something else now. */
  | { readonly kind: "edit"; readonly of: string; readonly content: InboundContent }
  /** A message was deleted by its sender. */
  | { readonly kind: "revocation"; readonly of: string }
  | { readonly kind: "system"; readonly text: string; readonly newPhone: string | null }
  /** A kind that this version does not know, or that the provider does not hand on. */
  | { readonly kind: "unsupported"; readonly type: string }

/** The states of a message in receipts. */
export type ReceiptStatus = "sent" | "delivered" | "read" | "failed"

/** One event in a provider's delivery, about one of its numbers. */
export type InboundEvent =
  | {
      readonly kind: "message"
      readonly phoneId: string
      readonly id: string
      readonly at: DateTime.Utc
      readonly from: Sender
      readonly content: InboundContent
      readonly replyTo: string | null
      /** The message came from an advertisement, which opens the longer window. */
      readonly fromAdvertisement: boolean
      readonly referral?: InboundReferral
      /** The provider's own message, if the other fields do not hold all of it. */
      readonly raw?: Schema.Json
    }
  /** A message that the business wrote in the provider's own app, beside this service. */
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
      /** `null` where only the quality or the category has changed. */
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
  /** Something was decided about the whole business account. */
  | {
      readonly kind: "account"
      readonly businessId: string
      readonly event: string
      /** `null` where what was decided says nothing about sending. */
      readonly sending: "stopped" | "restored" | null
      readonly reason: string | null
    }
  /** A field, or a kind within one, that this version does not know: kept and counted, never an error. */
  | { readonly kind: "unknown"; readonly businessId: string; readonly phoneId: string | null; readonly field: string }

/** An event with its arrival: its place among all events does not depend on when it is applied. */
export type ReceivedEvent<Event extends InboundEvent = InboundEvent> = Event & { readonly arrival: Arrival }
