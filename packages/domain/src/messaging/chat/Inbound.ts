import type { DateTime, Schema } from "effect"
import type { ChatAccountRestriction, NoticeTopic } from "./ChatAccount.ts"
import type {
  Forwarding,
  InboundContent,
  InboundReferral,
  PersonIds,
  ReferredProduct,
  ReportedPayment,
  ReportedPricing,
  Sender
} from "./InboundContent.ts"
import type { RefusalScope, Remedy } from "./errors.ts"
import type { OnboardingReason } from "./onboarding/errors.ts"

/** Delivery of an event, its arrival, and the position of the event in it. */
export interface Arrival {
  readonly deliveryId: string
  readonly at: DateTime.Utc
  readonly position: number
}

/** Failure of a message, with the scope of a refusal about an account. */
export interface ReceiptError {
  readonly code: number
  readonly reason: string
  readonly remedy: Remedy
  readonly scope?: RefusalScope
}

/** Message statuses in receipts. */
export type ReceiptStatus = "sent" | "delivered" | "read" | "played" | "failed"

/** Category of a template. */
type ReportedCategory = "marketing" | "utility" | "authentication"

/** Quality rating by the provider. */
type ReportedQuality = "green" | "yellow" | "red" | "unknown"

/** Report of a provider about the history of a number's business app. */
export type HistorySyncReport =
  | { readonly state: "progress"; readonly percent: number }
  /** `reason` is `sync_declined` if the customer shares no history. */
  | { readonly state: "failed"; readonly reason: OnboardingReason; readonly code: number | null }

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
      /** Whether an agent of the provider holds the conversation. The message then asks nothing of the team and starts no automation. */
      readonly isHeld?: true
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
      readonly error: ReceiptError | null
      readonly pricing?: ReportedPricing
      /** Group that the message was sent to. */
      readonly groupId?: string
    }
  /** Status of the payment of an order that the business sent. */
  | {
      readonly kind: "payment"
      readonly phoneId: string
      /** Message with the order. */
      readonly id: string
      readonly at: DateTime.Utc
      readonly reference: string | null
      readonly payment: ReportedPayment
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
      /** App that gained or lost the access, if the provider names it. */
      readonly appId?: string
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
      readonly historySync?: HistorySyncReport
    }
  /** Field, or kind within a field, unknown to this version. It is stored and counted, and never an error. */
  | { readonly kind: "unknown"; readonly businessId: string; readonly phoneId: string | null; readonly field: string }

/** Event with its arrival. Its position among all events does not depend on the time of processing. */
export type ReceivedEvent<Event extends InboundEvent = InboundEvent> = Event & { readonly arrival: Arrival }
