import { DateTime, Effect } from "effect"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type DeliveryOutcome, type StoredWebhookDelivery, WebhookDeliveries } from "../WebhookDeliveries.ts"
import { type AttemptTrigger, WebhookAttempt, type WebhookDeliveryState } from "../WebhookDelivery.ts"
import { type WebhookDeliveryId, WebhookSubscription, type WebhookSubscriptionId } from "../WebhookSubscription.ts"
import { type StoredWebhookSubscription, WebhookSubscriptions } from "../WebhookSubscriptions.ts"
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  nextAttemptAfter,
  circuitDecision
} from "../deliveryRetries.ts"
import { appendEvent } from "../events.ts"
import { buildEndpointDisabledEmail, buildEndpointFailingEmail, notifyAdmins } from "../failureEmails.ts"
import { disableSubscription } from "../subscriptionLanes.ts"
import type { PostedDelivery } from "./webhookRequests.ts"

/** Delivery to send now, with the reason. */
export interface SelectedDelivery {
  readonly kept: StoredWebhookDelivery
  readonly trigger: AttemptTrigger
}

/** Number of deliveries in one read. */
const batchSize = 50

/**
 * Selects the next deliveries: requested ones first, then due ones, lowest position first. While the circuit is open, selects one due probe at a
 * time.
 */
export const chooseDeliveries = Effect.fnUntraced(function* (
  { health, subscription }: StoredWebhookSubscription,
  onTheirWay: ReadonlyArray<WebhookDeliveryId>
) {
  const deliveries = yield* WebhookDeliveries
  const { id, ordering, status } = subscription
  const wanted = yield* deliveries.wanted(id, batchSize)
  const asked = wanted
    .filter(({ delivery }) => !onTheirWay.includes(delivery.id))
    .map((kept): SelectedDelivery => ({ kept, trigger: "redeliver" }))
  if (asked.length > 0 || status === "disabled") return asked
  const now = yield* DateTime.now
  const search = { ordering, now, except: onTheirWay }
  if (health.circuit === "closed") {
    const due = yield* deliveries.due(id, { ...search, limit: batchSize })
    return due.map((kept): SelectedDelivery => ({ kept, trigger: "scheduled" }))
  }
  const mayProbe = onTheirWay.length === 0 && (health.probeAt === null || !DateTime.isLessThan(now, health.probeAt))
  if (!mayProbe) return []
  const [first] = yield* deliveries.due(id, { ...search, limit: 1 })
  return first === undefined ? [] : [{ kept: first, trigger: "probe" } satisfies SelectedDelivery]
})

/** Returns the state of a delivery after an attempt. An attempt from before an erasure has no details. Only scheduled attempts count towards the eleven; then it is `failed` (dead letter). */
const toDeliveryOutcome = Effect.fnUntraced(function* (
  { at, erasures: erasuresBefore, kept, outcome, trigger }: PostedDelivery,
  erasures: number
) {
  const { delivery } = kept
  const isDelivered = outcome.error === null
  const spent = kept.spent + (trigger === "scheduled" ? 1 : 0)
  const again = isDelivered ? null : yield* nextAttemptAfter(Math.max(spent, 1), at, outcome.retryAfterSeconds)
  const state: WebhookDeliveryState = isDelivered ? "delivered" : again === null ? "failed" : "pending"
  const isErased = erasures !== erasuresBefore
  const attempt = new WebhookAttempt({
    number: delivery.attempts + 1,
    at,
    trigger,
    durationMs: outcome.durationMs,
    status: outcome.status,
    error: outcome.error,
    request: isErased ? null : outcome.request,
    response: isErased ? null : outcome.response
  })
  // A requested attempt does not change the time of the next scheduled one.
  const nextAttemptAt = trigger === "redeliver" ? delivery.nextAttemptAt : again
  return {
    id: delivery.id,
    attempt,
    state: trigger === "redeliver" && !isDelivered ? delivery.state : state,
    spent,
    nextAttemptAt
  } satisfies DeliveryOutcome
})

const goneStatus = 410

/**
 * Stores results of attempts and the health of the receiver in one unit of work. Only the lane owner can commit it. Reads the results after the unit
 * of work starts, and again on a retry: further requests can end while it waits. Disables a receiver that answers 410 or has failed for days.
 */
export const saveOutcomes = Effect.fnUntraced(
  function* (lease: LaneLease, id: WebhookSubscriptionId, ended: Effect.Effect<ReadonlyArray<PostedDelivery>>) {
    const subscriptions = yield* WebhookSubscriptions
    const { erasures, feature, health: before, subscription } = yield* subscriptions.lock(id)
    const receiver = { name: subscription.name, feature }
    const posted = yield* ended
    yield* (yield* WebhookDeliveries).keep(yield* Effect.forEach(posted, (each) => toDeliveryOutcome(each, erasures)))
    const health = posted.reduce<EndpointHealth>((soFar, { endedAt, outcome }) => {
      return outcome.error === null ? afterSuccess(endedAt) : afterFailure(soFar, endedAt)
    }, before)
    const now = yield* DateTime.now
    const isEnabled = subscription.status === "enabled"
    const isGone = posted.some(({ outcome }) => outcome.status === goneStatus)
    const verdict = isEnabled ? (isGone ? "gone" : circuitDecision(health, now)) : null
    yield* subscriptions.keep(id, { health: verdict === "warn" ? { ...health, warnedAt: now } : health })
    if (verdict === "warn") {
      yield* appendEvent({ type: "webhook_subscription.failing", webhookSubscriptionId: id })
      yield* notifyAdmins((publicUrl) => buildEndpointFailingEmail(receiver, publicUrl))
    }
    if (verdict === "gone" || verdict === "disable") {
      const reason = verdict === "gone" ? "gone" : "failing"
      yield* disableSubscription(new WebhookSubscription({ ...subscription, circuit: health.circuit }), reason)
      yield* notifyAdmins((publicUrl) => buildEndpointDisabledEmail(receiver, reason, publicUrl))
    }
    yield* (yield* LaneQueue).hold(lease)
  },
  transact,
  // The subscription was deleted concurrently, so its results are not needed.
  Effect.catchTag("NotFound", () => Effect.void)
)
