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

/** What is said of a subscription that a feature holds. */
export interface ManagedSubscription {
  readonly id: WebhookSubscriptionId
  readonly name: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  /** What bounds the events, as what a writer may see does elsewhere. */
  readonly permissions: ReadonlyArray<Permission>
}

/** Makes a subscription that a feature holds, and that delivers nothing yet. It takes no room in the plan, and nobody sees it. */
export const addManaged = Effect.fnUntraced(function* (feature: Feature, said: ManagedSubscription) {
  const secret = yield* newWebhookSecret
  const subscription = new WebhookSubscription({
    ...said,
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
  const secrets = { secret: yield* sealSecret(said.id, secret), former: [], headers: null }
  yield* (yield* WebhookSubscriptions).insert({ subscription, secrets, health: newHealth, startsAfter, feature })
  return secret
})

const save = Effect.fnUntraced(function* (subscription: WebhookSubscription) {
  // The row is locked: its version is the one that was read.
  yield* Effect.orDie((yield* WebhookSubscriptions).save(subscription, null))
  yield* scheduleSubscriptionLane(subscription.id, "bulk")
})

const lockManaged = (id: WebhookSubscriptionId) =>
  Effect.flatMap(WebhookSubscriptions, (subscriptions) => Effect.orDie(subscriptions.lock(id)))

/** Says anew what is delivered, and where. */
export const changeManaged = Effect.fnUntraced(function* ({ id, ...said }: ManagedSubscription) {
  const kept = yield* lockManaged(id)
  const { subscription } = kept
  yield* save(new WebhookSubscription({ ...subscription, ...said }))
  // The circuit describes the receiver at the former address.
  if (said.url !== subscription.url) yield* closeCircuit(kept)
  if (subscription.status === "enabled") yield* wakeFanOut
})

/** Has events delivered from the next one on. */
export const startManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { health, subscription } = yield* lockManaged(id)
  const startsAfter = yield* (yield* EventLog).head()
  const renewed = { ...newHealth, lastSuccessAt: health.lastSuccessAt }
  yield* (yield* WebhookSubscriptions).keep(id, { startsAfter, health: renewed })
  yield* save(new WebhookSubscription({ ...subscription, status: "enabled", disabledReason: null, circuit: "closed" }))
  yield* wakeFanOut
})

/** Has nothing delivered any more. What waits is discarded. */
export const stopManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { subscription } = yield* lockManaged(id)
  if (subscription.status === "disabled") return
  yield* save(new WebhookSubscription({ ...subscription, status: "disabled", disabledReason: "manual" }))
})

/** Removes it with its secrets. */
export const removeManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  yield* Effect.orDie((yield* WebhookSubscriptions).remove(id, null))
})

/** Every secret that signs, the newest first; none where there is no such subscription. */
export const managedSecrets = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const kept = yield* (yield* WebhookSubscriptions).find(id)
  const none: ReadonlyArray<Redacted.Redacted> = []
  return kept === null ? none : yield* openLiveSecrets(id, kept.secrets)
})

/** Makes a new secret; the one before it signs as well for so many seconds. */
export const renewManagedSecret = Effect.fnUntraced(function* (id: WebhookSubscriptionId, overlapSeconds: number) {
  return yield* renewSecret(yield* lockManaged(id), overlapSeconds)
})

/** Has what waits looked after now. */
export const wakeManaged = (id: WebhookSubscriptionId) => scheduleSubscriptionLane(id, "bulk")

/** Seals its secrets by the newest master key. */
export const reencryptManaged = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  yield* (yield* WebhookSubscriptions).keep(id, {
    secrets: yield* reencryptSubscriptionSecrets(yield* lockManaged(id))
  })
})
