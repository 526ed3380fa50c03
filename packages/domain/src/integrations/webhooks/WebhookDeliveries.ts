import { Context, DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import {
  Ids,
  type NotFound,
  paged,
  type PageRequest,
  type Slice,
  type TenantScoped,
  type Transaction
} from "../../kernel/index.ts"
import type { WebhookAttempt, WebhookCall, WebhookDelivery, WebhookDeliveryState } from "./WebhookDelivery.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { WebhookDeliveryId, type WebhookOrdering, type WebhookSubscriptionId } from "./WebhookSubscription.ts"

export interface NewDelivery {
  readonly id: WebhookDeliveryId
  readonly subscriptionId: WebhookSubscriptionId
  readonly type: string
  readonly position: number | null
  /** Subject of the delivery. With subject ordering, deliveries of one subject are sent in sequence. */
  readonly subject: string
  /** Creation time. */
  readonly at: DateTime.Utc
  /** Content of a call; absent for an event. */
  readonly call?: WebhookCall
}

export interface StoredWebhookDelivery {
  readonly delivery: WebhookDelivery
  readonly subject: string
  readonly at: DateTime.Utc
  /** Number of scheduled attempts so far. */
  readonly spent: number
  /** Content of a call at the time of the read; `null` for an event. */
  readonly call: WebhookCall | null
}

/** Result of an attempt: the new state of the delivery, and the stored data of the request. */
export interface DeliveryOutcome {
  readonly id: WebhookDeliveryId
  readonly attempt: WebhookAttempt
  readonly state: WebhookDeliveryState
  readonly spent: number
  readonly nextAttemptAt: DateTime.Utc | null
}

/** Filter of listed deliveries; `null` means any. `from` is inclusive, `to` is exclusive. */
export interface WebhookDeliveryFilter {
  readonly state: ReadonlyArray<WebhookDeliveryState> | null
  readonly type: string | null
  readonly id: WebhookDeliveryId | null
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** Search for deliveries to send. Excludes deliveries with a request in flight. */
export interface DueSearch {
  readonly ordering: WebhookOrdering
  readonly now: DateTime.Utc
  readonly except: ReadonlyArray<WebhookDeliveryId>
  readonly limit: number
}

/** Pending and former deliveries to the organization's subscriptions. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  TenantScoped<{
    readonly get: (
      subscriptionId: WebhookSubscriptionId,
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDelivery, NotFound>
    /** Latest first. The row key is the creation time, the position and the id. */
    readonly list: (
      subscriptionId: WebhookSubscriptionId,
      filter: WebhookDeliveryFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWebhookDelivery>>
    /** Returns the last attempts, latest first. */
    readonly attempts: (id: WebhookDeliveryId, limit: number) => Effect.Effect<ReadonlyArray<WebhookAttempt>>
    /** Creates pending deliveries. Existing deliveries stay the same. */
    readonly make: (deliveries: ReadonlyArray<NewDelivery>) => Effect.Effect<void, never, Transaction>
    /**
     * As `make`, and resets failed and discarded deliveries to pending; `all` also resets delivered ones. Returns the number of deliveries to send.
     */
    readonly remake: (
      deliveries: ReadonlyArray<NewDelivery>,
      only: "undelivered" | "all"
    ) => Effect.Effect<number, never, Transaction>
    /** Returns due pending deliveries, lowest position first. With subject ordering, excludes a delivery whose subject has an earlier pending one. */
    readonly due: (
      subscriptionId: WebhookSubscriptionId,
      search: DueSearch
    ) => Effect.Effect<ReadonlyArray<StoredWebhookDelivery>>
    /** Returns the current content of a call; `null` for an event, or for a call that must not be sent any more. */
    readonly call: (id: WebhookDeliveryId) => Effect.Effect<WebhookCall | null>
    /** Returns when `due` has its next delivery; `null` without pending deliveries. */
    readonly nextDue: (
      subscriptionId: WebhookSubscriptionId,
      ordering: WebhookOrdering
    ) => Effect.Effect<DateTime.Utc | null>
    /** Returns the creation time of the oldest pending delivery, and the lowest pending position. */
    readonly oldest: (
      subscriptionId: WebhookSubscriptionId
    ) => Effect.Effect<{ readonly at: DateTime.Utc | null; readonly position: number | null }>
    /** Requests one immediate attempt, in any state of the delivery. */
    readonly want: (
      subscriptionId: WebhookSubscriptionId,
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDelivery, NotFound, Transaction>
    /** Returns the deliveries with a requested attempt. */
    readonly wanted: (
      subscriptionId: WebhookSubscriptionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredWebhookDelivery>>
    /**
     * Stores results of attempts. A success counts in any state of the delivery; a failure changes only a pending delivery. Clears the request for
     * an attempt.
     */
    readonly keep: (outcomes: ReadonlyArray<DeliveryOutcome>) => Effect.Effect<void, never, Transaction>
    /** Ends pending deliveries, optionally only those created before a time. Returns their number, at most `limit`. */
    readonly end: (
      subscriptionId: WebhookSubscriptionId,
      state: "discarded" | "failed",
      before: DateTime.Utc | null,
      limit: number
    ) => Effect.Effect<number, never, Transaction>
    /** Stops these deliveries: discards pending ones, and clears requests for attempts. */
    readonly discard: (ids: ReadonlyArray<WebhookDeliveryId>) => Effect.Effect<void, never, Transaction>
    /**
     * Blanks the content about these contacts, and discards their pending deliveries. Deletes the details of attempts about these contacts, and of
     * attempts that name no contact.
     */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
    /** Deletes deliveries that were created before this time, and their attempts, at most `limit` of each. Returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Deletes details of attempts before this time, at most `limit`. Returns their number. */
    readonly sweepDetails: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/integrations/webhooks/WebhookDeliveries") {}

const allDeliveries: WebhookDeliveryFilter = { state: null, type: null, id: null, from: null, to: null }

/** Returns the id of the delivery of an event to a subscription. */
export const deliveryIdOf = Effect.fnUntraced(function* (subscriptionId: WebhookSubscriptionId, position: number) {
  return WebhookDeliveryId.make(yield* (yield* Ids).derived(subscriptionId, String(position)))
})

/** Filter in requests. `position`: of the event in the feed. */
export type WebhookDeliveryRequest = Partial<Omit<WebhookDeliveryFilter, "id">> & { readonly position?: number }

/** Pages through pending and former deliveries of a subscription, latest first. */
export const pageOfDeliveries = Effect.fnUntraced(function* (
  subscriptionId: WebhookSubscriptionId,
  { position, ...request }: WebhookDeliveryRequest,
  page: PageRequest
) {
  const deliveries = yield* WebhookDeliveries
  const id = position === undefined ? null : yield* deliveryIdOf(subscriptionId, position)
  const filter: WebhookDeliveryFilter = { ...allDeliveries, ...request, id }
  const { data, nextCursor } = yield* paged(
    `webhook_deliveries/${subscriptionId}`,
    page,
    (slice) => deliveries.list(subscriptionId, filter, slice),
    ({ at, delivery }) => [DateTime.formatIso(at), String(delivery.position ?? 0), delivery.id]
  )
  return { data: data.map(({ delivery }) => delivery), nextCursor }
})

/** Contact data owner of webhook calls: their content is deleted with the contact. */
export const webhookCallData = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* WebhookSubscriptions).countErasure()
    yield* (yield* WebhookDeliveries).blank(contactIds)
  })
}
