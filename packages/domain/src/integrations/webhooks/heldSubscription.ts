import { Effect, type Redacted } from "effect"
import type { Feature, Permission } from "../../kernel/index.ts"
import { EventLog } from "../../platform/events/index.ts"
import { WebhookSubscription, type WebhookSubscriptionId } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { newHealth } from "./deliveryRetries.ts"
import { newWebhookSecret, openLiveSecrets, renewSecret, resealed, sealSecret } from "./signingSecrets.ts"
import { closeCircuit, openSubscriptionLane, wakeMaker } from "./subscriptionLanes.ts"

/** What is said of a subscription that a feature holds. */
export interface HeldSubscription {
  readonly id: WebhookSubscriptionId
  readonly name: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  /** What bounds the events, as what a writer may see does elsewhere. */
  readonly permissions: ReadonlyArray<Permission>
}

/** Makes a subscription that a feature holds, and that delivers nothing yet. It takes no room in the plan, and nobody sees it. */
export const addHeld = Effect.fnUntraced(function* (feature: Feature, said: HeldSubscription) {
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
  yield* openSubscriptionLane(subscription.id, "bulk")
})

const locked = (id: WebhookSubscriptionId) =>
  Effect.flatMap(WebhookSubscriptions, (subscriptions) => Effect.orDie(subscriptions.lock(id)))

/** Says anew what is delivered, and where. */
export const changeHeld = Effect.fnUntraced(function* ({ id, ...said }: HeldSubscription) {
  const kept = yield* locked(id)
  const { subscription } = kept
  yield* save(new WebhookSubscription({ ...subscription, ...said }))
  // The circuit describes the receiver at the former address.
  if (said.url !== subscription.url) yield* closeCircuit(kept)
  if (subscription.status === "enabled") yield* wakeMaker
})

/** Has events delivered from the next one on. */
export const startHeld = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { health, subscription } = yield* locked(id)
  const startsAfter = yield* (yield* EventLog).head()
  const renewed = { ...newHealth, lastSuccessAt: health.lastSuccessAt }
  yield* (yield* WebhookSubscriptions).keep(id, { startsAfter, health: renewed })
  yield* save(new WebhookSubscription({ ...subscription, status: "enabled", disabledReason: null, circuit: "closed" }))
  yield* wakeMaker
})

/** Has nothing delivered any more. What waits is discarded. */
export const stopHeld = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { subscription } = yield* locked(id)
  if (subscription.status === "disabled") return
  yield* save(new WebhookSubscription({ ...subscription, status: "disabled", disabledReason: "manual" }))
})

/** Removes it with its secrets. */
export const removeHeld = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  yield* Effect.orDie((yield* WebhookSubscriptions).remove(id, null))
})

/** Every secret that signs, the newest first; none where there is no such subscription. */
export const secretsOfHeld = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const kept = yield* (yield* WebhookSubscriptions).find(id)
  const none: ReadonlyArray<Redacted.Redacted> = []
  return kept === null ? none : yield* openLiveSecrets(id, kept.secrets)
})

/** Makes a new secret; the one before it signs as well for so many seconds. */
export const renewHeldSecret = Effect.fnUntraced(function* (id: WebhookSubscriptionId, overlapSeconds: number) {
  return yield* renewSecret(yield* locked(id), overlapSeconds)
})

/** Has what waits looked after now. */
export const wakeHeld = (id: WebhookSubscriptionId) => openSubscriptionLane(id, "bulk")

/** Seals its secrets by the newest master key. */
export const resealHeld = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  yield* (yield* WebhookSubscriptions).keep(id, { secrets: yield* resealed(yield* locked(id)) })
})
