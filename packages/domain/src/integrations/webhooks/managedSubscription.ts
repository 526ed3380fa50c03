import { Effect, type Redacted } from "effect"
import type { Feature, Permission } from "../../kernel/index.ts"
import { EventLog } from "../../platform/events/index.ts"
import { WebhookSubscription, type WebhookSubscriptionId } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { newHealth } from "./deliveryRetries.ts"
import {
  newWebhookSecret,
  openLiveSecrets,
  renewSecret,
  reencryptSubscriptionSecrets,
  sealSecret
} from "./signingSecrets.ts"
import { closeCircuit, scheduleSubscriptionLane, wakeFanOut } from "./subscriptionLanes.ts"

/** Subscription that a plan feature manages. */
export interface ManagedSubscription {
  readonly id: WebhookSubscriptionId
  readonly name: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  /** Permissions that limit the events, like the permissions of a member for a user subscription. */
  readonly permissions: ReadonlyArray<Permission>
}

/** Creates a managed subscription without deliveries. It does not count against the plan limit, and users cannot see it. */
export const addManaged = Effect.fnUntraced(function* (feature: Feature, input: ManagedSubscription) {
  const secret = yield* newWebhookSecret
  const subscription = new WebhookSubscription({
    ...input,
    filter: {},
    payload: "thin",
    payloadVersion: "v1",
    ordering: "none",
    headers: {},
    status: "disabled",
    disabledReason: "manual",
    circuit: "closed",
    lastSuccessAt: null,
    disabledAtPosition: null,
    version: 1
  })
  const startsAfter = yield* (yield* EventLog).head()
  const secrets = { secret: yield* sealSecret(input.id, secret), former: [], headers: null }
  yield* (yield* WebhookSubscriptions).insert({
    subscription,
    secrets,
    health: newHealth,
    startsAfter,
    feature,
    erasures: 0
  })
  return secret
})

const save = Effect.fnUntraced(function* (subscription: WebhookSubscription) {
  // The row is locked, so its version equals the read version.
  yield* Effect.orDie((yield* WebhookSubscriptions).save(subscription, null))
  yield* scheduleSubscriptionLane(subscription.id, "bulk")
})

const lockManaged = (id: WebhookSubscriptionId) =>
  Effect.flatMap(WebhookSubscriptions, (subscriptions) => Effect.orDie(subscriptions.lock(id)))

/** Changes the events and the URL. */
export const changeManaged = Effect.fnUntraced(function* ({ id, ...input }: ManagedSubscription) {
  const kept = yield* lockManaged(id)
  const { subscription } = kept
  yield* save(new WebhookSubscription({ ...subscription, ...input }))
  // The circuit describes the receiver at the former URL.
  if (input.url !== subscription.url) yield* closeCircuit(kept)
  if (subscription.status === "enabled") yield* wakeFanOut
})

/** Starts deliveries from the next event on. */
export const startManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { health, subscription } = yield* lockManaged(id)
  const startsAfter = yield* (yield* EventLog).head()
  const renewed = { ...newHealth, lastSuccessAt: health.lastSuccessAt }
  yield* (yield* WebhookSubscriptions).keep(id, { startsAfter, health: renewed })
  yield* save(new WebhookSubscription({ ...subscription, status: "enabled", disabledReason: null, circuit: "closed" }))
  yield* wakeFanOut
})

/** Stops deliveries and discards pending ones. */
export const stopManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { subscription } = yield* lockManaged(id)
  if (subscription.status === "disabled") return
  yield* save(new WebhookSubscription({ ...subscription, status: "disabled", disabledReason: "manual" }))
})

/** Deletes the subscription with its secrets. */
export const removeManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  yield* Effect.orDie((yield* WebhookSubscriptions).remove(id, null))
})

/** Returns every valid secret, newest first; none for a missing subscription. */
export const managedSecrets = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const kept = yield* (yield* WebhookSubscriptions).find(id)
  const none: ReadonlyArray<Redacted.Redacted> = []
  return kept === null ? none : yield* openLiveSecrets(id, kept.secrets)
})

/** Creates a new secret. The former one also signs for `overlapSeconds`. */
export const renewManagedSecret = Effect.fnUntraced(function* (id: WebhookSubscriptionId, overlapSeconds: number) {
  return yield* renewSecret(yield* lockManaged(id), overlapSeconds)
})

/** Schedules the pending deliveries now. */
export const wakeManaged = (id: WebhookSubscriptionId) => scheduleSubscriptionLane(id, "bulk")

/** Seals its secrets with the newest master key. */
export const reencryptManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  yield* (yield* WebhookSubscriptions).keep(id, {
    secrets: yield* reencryptSubscriptionSecrets(yield* lockManaged(id))
  })
})
