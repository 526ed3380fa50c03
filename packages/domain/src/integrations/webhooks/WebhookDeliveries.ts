import { Context, DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import {
  type NotFound,
  paged,
  type PageRequest,
  type Slice,
  type TenantScoped,
  type Transaction
} from "../../kernel/index.ts"
import type { WebhookAttempt, WebhookCall, WebhookDelivery, WebhookDeliveryState } from "./WebhookDelivery.ts"
import type { WebhookDeliveryId, WebhookOrdering, WebhookSubscriptionId } from "./WebhookSubscription.ts"

/** A delivery as it is made. */
export interface NewDelivery {
  readonly id: WebhookDeliveryId
  readonly subscriptionId: WebhookSubscriptionId
  readonly type: string
  readonly position: number | null
  /** What it is about, where deliveries about one thing go one after another. */
  readonly subject: string
  /** When it was made. */
  readonly at: DateTime.Utc
  /** What is posted, where it is no event. */
  readonly call?: WebhookCall
}

/** A delivery as it is kept. */
export interface StoredWebhookDelivery {
  readonly delivery: WebhookDelivery
  readonly subject: string
  readonly at: DateTime.Utc
  /** How many of its scheduled attempts were made. */
  readonly spent: number
  /** What was to be posted when it was read; `null` where it is an event. */
  readonly call: WebhookCall | null
}

/** What came of an attempt: how the delivery stands after it, and what is kept of the request. */
export interface DeliveryOutcome {
  readonly id: WebhookDeliveryId
  readonly attempt: WebhookAttempt
  readonly state: WebhookDeliveryState
  readonly spent: number
  readonly nextAttemptAt: DateTime.Utc | null
}

/** Which deliveries to list; `null` means any. `from` is included, `to` is not. */
export interface WebhookDeliveryFilter {
  readonly state: WebhookDeliveryState | null
  readonly type: string | null
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** Which deliveries to send: none of those that are on their way. */
export interface DueSearch {
  readonly ordering: WebhookOrdering
  readonly now: DateTime.Utc
  readonly except: ReadonlyArray<WebhookDeliveryId>
  readonly limit: number
}

/** What is delivered to the organization's subscriptions, and what was. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  TenantScoped<{
    readonly get: (
      subscriptionId: WebhookSubscriptionId,
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDelivery, NotFound>
    /** Latest first; the key of a row is when it was made, its position, and its id. */
    readonly list: (
      subscriptionId: WebhookSubscriptionId,
      filter: WebhookDeliveryFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWebhookDelivery>>
    /** The last attempts, the latest first. */
    readonly attempts: (id: WebhookDeliveryId, limit: number) => Effect.Effect<ReadonlyArray<WebhookAttempt>>
    /** Makes deliveries that wait to be sent. One that is there already stays as it is. */
    readonly make: (deliveries: ReadonlyArray<NewDelivery>) => Effect.Effect<void, never, Transaction>
    /**
     * As `make`, and has those sent anew that have failed or were discarded; `all`: those that were delivered, too. Says how many
     * are to be sent by it.
     */
    readonly remake: (
      deliveries: ReadonlyArray<NewDelivery>,
      only: "undelivered" | "all"
    ) => Effect.Effect<number, never, Transaction>
    /**
     * Pending ones whose time has come, the lowest position first. In the order of subjects, one whose subject has an earlier
     * pending one is not among them.
     */
    readonly due: (
      subscriptionId: WebhookSubscriptionId,
      search: DueSearch
    ) => Effect.Effect<ReadonlyArray<StoredWebhookDelivery>>
    /** What a delivery of a call posts as it is now; `null` where it is none, or is not to be sent any more. */
    readonly call: (id: WebhookDeliveryId) => Effect.Effect<WebhookCall | null>
    /** When `due` has something next; `null` when nothing is pending. */
    readonly nextDue: (
      subscriptionId: WebhookSubscriptionId,
      ordering: WebhookOrdering
    ) => Effect.Effect<DateTime.Utc | null>
    /** When the oldest pending one was made, and the lowest position that is pending. */
    readonly oldest: (
      subscriptionId: WebhookSubscriptionId
    ) => Effect.Effect<{ readonly at: DateTime.Utc | null; readonly position: number | null }>
    /** Has one attempt made now, whatever became of the delivery. */
    readonly want: (
      subscriptionId: WebhookSubscriptionId,
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDelivery, NotFound, Transaction>
    /** Those that one attempt is wanted of. */
    readonly wanted: (
      subscriptionId: WebhookSubscriptionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredWebhookDelivery>>
    /**
     * Keeps what came of attempts. A success counts whatever became of the delivery meanwhile; a failure changes only one that is
     * still pending. An attempt that was wanted is not wanted any more.
     */
    readonly keep: (outcomes: ReadonlyArray<DeliveryOutcome>) => Effect.Effect<void, never, Transaction>
    /** Ends pending ones, or those of them that were made before; says how many, `limit` at most. */
    readonly end: (
      subscriptionId: WebhookSubscriptionId,
      state: "discarded" | "failed",
      before: DateTime.Utc | null,
      limit: number
    ) => Effect.Effect<number, never, Transaction>
    /** Has none of these sent any more: pending ones are discarded, and no attempt is wanted of any. */
    readonly discard: (ids: ReadonlyArray<WebhookDeliveryId>) => Effect.Effect<void, never, Transaction>
    /** Blanks what is posted about these contacts, and discards what of it waits. */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
    /** Forgets deliveries that were made before, with their attempts, at most so many of each; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/integrations/webhooks/WebhookDeliveries") {}

/** What was delivered to a subscription, and what waits, the latest first. */
export const pageOfDeliveries = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  filter: WebhookDeliveryFilter,
  page: PageRequest
) {
  const deliveries = yield* WebhookDeliveries
  const { data, nextCursor } = yield* paged(
    `webhook_deliveries/${id}`,
    page,
    (slice) => deliveries.list(id, filter, slice),
    ({ at, delivery }) => [DateTime.formatIso(at), String(delivery.position ?? 0), delivery.id]
  )
  return { data: data.map(({ delivery }) => delivery), nextCursor }
})

/** What automations post about contacts goes with the contacts. */
export const webhookCallData = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* WebhookDeliveries).blank(contactIds)
  })
}
