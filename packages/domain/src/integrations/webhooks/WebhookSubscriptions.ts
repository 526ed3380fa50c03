import { Context, type DateTime, Effect, type Schema } from "effect"
import {
  type Feature,
  FeatureGate,
  NotFound,
  type Permission,
  requireReach,
  type Slice,
  type TenantScoped,
  type Transaction,
  Dependents,
  type VersionConflict
} from "../../kernel/index.ts"
import type { WebhookSubscription, WebhookSubscriptionId } from "./WebhookSubscription.ts"
import type { EndpointHealth } from "./deliveryRetries.ts"
import type { WebhookSubscriptionQuery } from "./subscriptionListing.ts"

/** Signing secrets and headers of a subscription. The vault seals each one for the subscription. */
export interface WebhookSecrets {
  readonly secret: string
  /** Former secrets that still sign, latest first. */
  readonly former: ReadonlyArray<{ readonly sealed: string; readonly until: DateTime.Utc }>
  /** Additional headers as JSON; `null` for none. */
  readonly headers: string | null
}

/** Stored subscription. `circuit` and `lastSuccessAt` come from its health. */
export interface StoredWebhookSubscription {
  readonly subscription: WebhookSubscription
  readonly secrets: WebhookSecrets
  readonly health: EndpointHealth
  /** Events up to this position were logged before the subscription existed, or while it was disabled. */
  readonly startsAfter: number
  /** Plan feature that manages the subscription; `null` for user subscriptions. Users cannot see managed subscriptions. */
  readonly feature: Feature | null
  /** Number of erasures of contacts since the creation. An attempt from before an erasure must not store its answer. */
  readonly erasures: number
}

/** Webhook subscriptions of the organization. */
export class WebhookSubscriptions extends Context.Service<
  WebhookSubscriptions,
  TenantScoped<{
    /** Returns a user subscription. */
    readonly get: (id: WebhookSubscriptionId) => Effect.Effect<WebhookSubscription, NotFound>
    /** Returns user subscriptions in the requested order. The row key is `webhookSubscriptionCursorKey`. */
    readonly list: (query: WebhookSubscriptionQuery, slice: Slice) => Effect.Effect<ReadonlyArray<WebhookSubscription>>
    /** Counts user subscriptions. */
    readonly count: () => Effect.Effect<number>
    /** Returns any subscription with its internal state; `null` if missing. */
    readonly find: (id: WebhookSubscriptionId) => Effect.Effect<StoredWebhookSubscription | null>
    /** As `find`, with a lock for a change. Other callers of `lock` wait until this unit of work ends. */
    readonly lock: (id: WebhookSubscriptionId) => Effect.Effect<StoredWebhookSubscription, NotFound, Transaction>
    /** Returns the enabled subscriptions. */
    readonly enabled: () => Effect.Effect<ReadonlyArray<StoredWebhookSubscription>>
    readonly insert: (kept: StoredWebhookSubscription) => Effect.Effect<void, never, Transaction>
    /** Stores the subscription and increments its version, if the stored version is the expected one; `null` accepts any version. */
    readonly save: (
      subscription: WebhookSubscription,
      expected: number | null
    ) => Effect.Effect<WebhookSubscription, NotFound | VersionConflict, Transaction>
    /** Stores internal state; the version stays. */
    readonly keep: (
      id: WebhookSubscriptionId,
      part: Partial<Omit<StoredWebhookSubscription, "erasures" | "subscription">>
    ) => Effect.Effect<void, never, Transaction>
    /** Counts an erasure for each subscription. Waits for results of attempts that are being stored. */
    readonly countErasure: () => Effect.Effect<void, never, Transaction>
    readonly remove: (
      id: WebhookSubscriptionId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/integrations/webhooks/WebhookSubscriptions") {}

/** Bodies of `call_webhook` can contain data of contacts, conversations and orders. */
export const callPermissions: ReadonlyArray<Permission> = ["contacts.read", "conversations.read", "commerce.read"]

/** Fails unless the actor can read everything that automations and workflows post to the subscription. */
export const requireReachOfCalls = Effect.fnUntraced(function* ({
  events,
  id
}: Pick<WebhookSubscription, "events" | "id">) {
  // Without events, a subscription exists only for calls. Their retries continue after the automation is deleted.
  const isCalled = events.length === 0 || (yield* (yield* Dependents).find("webhook_subscription", id)).length > 0
  yield* requireReach(isCalled ? callPermissions : [])
})

/** Fails unless the actor can read everything that is posted to the subscription. */
export const requireReachOfDeliveries = Effect.fnUntraced(function* (subscription: WebhookSubscription) {
  yield* requireReach(subscription.permissions)
  yield* requireReachOfCalls(subscription)
})

/** Locks a user subscription for a change. Features change their managed subscriptions themselves. */
export const lockUserSubscription = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const kept = yield* (yield* WebhookSubscriptions).lock(id)
  return kept.feature === null ? kept : yield* new NotFound({ resource: "webhook subscription" })
})

/** Returns whether the plan includes the feature of the subscription. Pending deliveries are sent after the plan includes it again. */
export const isInPlan = Effect.fnUntraced(function* ({ feature }: StoredWebhookSubscription) {
  if (feature === null) return true
  return yield* Effect.match((yield* FeatureGate).require(feature), { onFailure: () => false, onSuccess: () => true })
})

/** Returns the audit fields of a subscription, without the values of headers and secrets. */
export const toSubscriptionAuditFields = (subscription: WebhookSubscription): Record<string, Schema.Json> => ({
  name: subscription.name,
  url: subscription.url,
  events: [...subscription.events],
  filter: JSON.stringify(subscription.filter),
  payload: subscription.payload,
  payloadVersion: subscription.payloadVersion,
  ordering: subscription.ordering,
  headers: Object.keys(subscription.headers),
  permissions: [...subscription.permissions]
})

const same = (one: Schema.Json | undefined, other: Schema.Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns the changed fields with their old and new values. */
export const changesBetween = (one: WebhookSubscription, other: WebhookSubscription) => {
  const [before, after] = [toSubscriptionAuditFields(one), toSubscriptionAuditFields(other)]
  const fields = Object.keys(after).filter((field) => !same(before[field], after[field]))
  const only = (of: Record<string, Schema.Json>) =>
    Object.fromEntries(fields.map((field): [string, Schema.Json] => [field, of[field] ?? null]))
  return { fields, before: only(before), after: only(after) }
}
