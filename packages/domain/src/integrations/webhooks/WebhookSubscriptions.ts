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
  type Dependents,
  type VersionConflict
} from "../../kernel/index.ts"
import type { WebhookSubscription, WebhookSubscriptionId } from "./WebhookSubscription.ts"
import type { EndpointHealth } from "./deliveryRetries.ts"

/** What deliveries are signed with and what they carry, each sealed by the vault for the subscription. */
export interface WebhookSecrets {
  readonly secret: string
  /** Secrets of before that sign as well for a while, the latest first. */
  readonly former: ReadonlyArray<{ readonly sealed: string; readonly until: DateTime.Utc }>
  /** The headers that are sent besides, as JSON; `null` where there are none. */
  readonly headers: string | null
}

/** A subscription as it is kept. Its `circuit` and `lastSuccessAt` are those of its health. */
export interface StoredWebhookSubscription {
  readonly subscription: WebhookSubscription
  readonly secrets: WebhookSecrets
  readonly health: EndpointHealth
  /** Events up to this position were logged before it was there, or while it was disabled. */
  readonly startsAfter: number
  /** The feature of the plan whose it is, where it is none of those that people write: they never see it. */
  readonly feature: Feature | null
}

/** The addresses that the organization's events are posted to. */
export class WebhookSubscriptions extends Context.Service<
  WebhookSubscriptions,
  TenantScoped<{
    /** One that people have written. */
    readonly get: (id: WebhookSubscriptionId) => Effect.Effect<WebhookSubscription, NotFound>
    /** Those that people have written, newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<WebhookSubscription>>
    /** Of those that people have written. */
    readonly count: () => Effect.Effect<number>
    /** With all that is kept of it; `null` if there is none. */
    readonly find: (id: WebhookSubscriptionId) => Effect.Effect<StoredWebhookSubscription | null>
    /** As `find`, to change it: others who do wait until this unit of work ends. */
    readonly lock: (id: WebhookSubscriptionId) => Effect.Effect<StoredWebhookSubscription, NotFound, Transaction>
    /** Those that events are delivered to. */
    readonly enabled: () => Effect.Effect<ReadonlyArray<StoredWebhookSubscription>>
    readonly insert: (kept: StoredWebhookSubscription) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      subscription: WebhookSubscription,
      expected: number | null
    ) => Effect.Effect<WebhookSubscription, NotFound | VersionConflict, Transaction>
    /** Stores what nobody says of it; its version stays. */
    readonly keep: (
      id: WebhookSubscriptionId,
      part: Partial<Omit<StoredWebhookSubscription, "subscription">>
    ) => Effect.Effect<void, never, Transaction>
    readonly remove: (
      id: WebhookSubscriptionId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/integrations/webhooks/WebhookSubscriptions") {}

/** What calls a subscription, in all areas. */
export class WebhookSubscriptionDependents extends Context.Service<
  WebhookSubscriptionDependents,
  Dependents<WebhookSubscriptionId>
>()("@parley/domain/integrations/webhooks/WebhookSubscriptionDependents") {}

/** Bodies of `call_webhook` can contain data of contacts, conversations and orders. */
export const callPermissions: ReadonlyArray<Permission> = ["contacts.read", "conversations.read", "commerce.read"]

/** Fails unless the actor can read everything that automations and workflows post to the subscription. */
export const requireReachOfCalls = Effect.fnUntraced(function* ({
  events,
  id
}: Pick<WebhookSubscription, "events" | "id">) {
  // Without events, a subscription exists only for calls. Their retries continue after the automation is deleted.
  const isCalled = events.length === 0 || (yield* (yield* WebhookSubscriptionDependents).of(id)).length > 0
  yield* requireReach(isCalled ? callPermissions : [])
})

/** Takes a subscription that people have written, to change it. Those of features are changed by whoever has made them. */
export const lockUserSubscription = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const kept = yield* (yield* WebhookSubscriptions).lock(id)
  return kept.feature === null ? kept : yield* new NotFound({ resource: "webhook subscription" })
})

/** Whether the plan has the feature whose the subscription is. What waits for it goes out once it has. */
export const isInPlan = Effect.fnUntraced(function* ({ feature }: StoredWebhookSubscription) {
  if (feature === null) return true
  return yield* Effect.match((yield* FeatureGate).require(feature), { onFailure: () => false, onSuccess: () => true })
})

/** What the trail keeps of a subscription: never the value of a header or a secret. */
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

/** Which fields differ, and how they were and are. */
export const changesBetween = (one: WebhookSubscription, other: WebhookSubscription) => {
  const [before, after] = [toSubscriptionAuditFields(one), toSubscriptionAuditFields(other)]
  const fields = Object.keys(after).filter((field) => !same(before[field], after[field]))
  const only = (of: Record<string, Schema.Json>) =>
    Object.fromEntries(fields.map((field): [string, Schema.Json] => [field, of[field] ?? null]))
  return { fields, before: only(before), after: only(after) }
}
