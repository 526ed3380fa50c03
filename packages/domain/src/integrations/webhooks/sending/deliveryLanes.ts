import { Clock, DateTime, Duration, Effect, Fiber, Queue } from "effect"
import { asSystem, transact } from "../../../kernel/index.ts"
import {
  type LaneLease,
  LaneQueue,
  defineLaneWorker,
  sweepOrganizations,
  type LaneTurn
} from "../../../platform/background/index.ts"
import { EventLog, type LoggedEvent } from "../../../platform/events/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { type StoredWebhookDelivery, WebhookDeliveries } from "../WebhookDeliveries.ts"
import { type WebhookDeliveryId, WebhookSubscriptionId } from "../WebhookSubscription.ts"
import { isInPlan, type StoredWebhookSubscription, WebhookSubscriptions } from "../WebhookSubscriptions.ts"
import { maxDeliveryAge } from "../deliveryRetries.ts"
import { makeVisibilityCheck } from "../eventMatching.ts"
import { webhookTaskName } from "../subscriptionLanes.ts"
import { WebhookRateLimiter } from "./WebhookRateLimiter.ts"
import { chooseDeliveries, type SelectedDelivery, saveOutcomes } from "./deliveryBatches.ts"
import { postDelivery, type PostedDelivery } from "./webhookRequests.ts"

/** Maximum number of concurrent requests to one receiver. */
const maxConcurrentRequests = 5

/** Maximum turn of a subscription while others wait. */
const maxTurnMillis = 10_000

const endBatchSize = 500

/** Ends deliveries that must not be sent any more, some in each unit of work. */
const endAll = Effect.fnUntraced(function* (
  lease: LaneLease,
  id: WebhookSubscriptionId,
  state: "discarded" | "failed",
  before: DateTime.Utc | null
) {
  const endSome = Effect.gen(function* () {
    const ended = yield* (yield* WebhookDeliveries).end(id, state, before, endBatchSize)
    yield* (yield* LaneQueue).hold(lease)
    return ended
  }).pipe(transact)
  while ((yield* endSome) === endBatchSize) yield* Effect.yieldNow
})

/** Ends pending deliveries of a disabled receiver, and deliveries that waited too long behind an open circuit. */
const endExpiredDeliveries = Effect.fnUntraced(function* (
  lease: LaneLease,
  { health, subscription }: StoredWebhookSubscription
) {
  if (subscription.status === "disabled") return yield* endAll(lease, subscription.id, "discarded", null)
  if (health.circuit === "closed") return
  const before = DateTime.subtractDuration(yield* DateTime.now, maxDeliveryAge)
  return yield* endAll(lease, subscription.id, "failed", before)
})

/**
 * Selects deliveries that can still be sent, and discards the others. A member with fewer permissions may have changed the subscription since.
 * Calls of automations are no events and are always sent.
 */
const filterVisible = Effect.fnUntraced(function* (
  lease: LaneLease,
  { subscription }: StoredWebhookSubscription,
  chosen: ReadonlyArray<SelectedDelivery>
) {
  const isSeen = yield* makeVisibilityCheck(subscription)
  const mayGo = ({ kept: { delivery } }: SelectedDelivery) => delivery.position === null || isSeen(delivery.type)
  const unseen = chosen.filter((each) => !mayGo(each))
  if (unseen.length > 0) {
    yield* Effect.andThen(
      (yield* WebhookDeliveries).discard(unseen.map(({ kept }) => kept.delivery.id)),
      (yield* LaneQueue).hold(lease)
    ).pipe(transact)
  }
  return chosen.filter(mayGo)
})

/** Loads the events of deliveries, by position. */
const loadEvents = Effect.fnUntraced(function* (chosen: ReadonlyArray<SelectedDelivery>) {
  const positions = chosen.flatMap(({ kept }) => (kept.delivery.position === null ? [] : [kept.delivery.position]))
  const events = yield* (yield* EventLog).at(positions)
  return new Map(events.map((logged): readonly [number, LoggedEvent] => [logged.position, logged]))
})

/** Loads the content of a delivery. Reads a call again, because it waited since its selection; returns `null` if it was blanked since. */
const loadDeliveryContent = Effect.fnUntraced(function* (
  { call, delivery: { id, position } }: StoredWebhookDelivery,
  events: ReadonlyMap<number, LoggedEvent>
) {
  if (call !== null) return yield* (yield* WebhookDeliveries).call(id)
  // The event log never deletes events, so a missing one is a defect.
  return events.get(position ?? 0) ?? (yield* Effect.die(new Error(`There is no event ${position}.`)))
})

/**
 * Sends the due deliveries of one receiver, some concurrently, until none is due. Stores each result immediately, together with other results that
 * arrived since.
 */
const processSubscription = Effect.fnUntraced(function* (lease: LaneLease, turn: LaneTurn) {
  const id = WebhookSubscriptionId.make(lease.key)
  const subscriptions = yield* WebhookSubscriptions
  const organization = yield* (yield* Organizations).current()
  let kept = yield* subscriptions.find(id)
  if (kept === null || organization.status !== "active" || !(yield* isInPlan(kept))) return
  yield* endExpiredDeliveries(lease, kept)
  const ends = yield* Queue.unbounded<PostedDelivery>()
  const paces = yield* WebhookRateLimiter
  const onTheirWay = new Map<WebhookDeliveryId, Fiber.Fiber<unknown>>()
  const begun = yield* Clock.currentTimeMillis
  let waiting: ReadonlyArray<SelectedDelivery> = []
  let events: ReadonlyMap<number, LoggedEvent> = new Map()
  let isOver = false

  const fill = Effect.fnUntraced(function* (to: StoredWebhookSubscription) {
    if (isOver) return
    while (waiting.length === 0) {
      const chosen = yield* chooseDeliveries(to, Array.from(onTheirWay.keys()))
      if (chosen.length === 0) return
      waiting = yield* filterVisible(lease, to, chosen)
      if (waiting.length > 0) events = yield* loadEvents(waiting)
    }
  })

  const launch = Effect.fnUntraced(function* (to: StoredWebhookSubscription) {
    while (onTheirWay.size < maxConcurrentRequests) {
      yield* fill(to)
      const [next, ...others] = waiting
      if (next === undefined) return
      waiting = others
      const content = yield* loadDeliveryContent(next.kept, events)
      if (content === null) continue
      yield* paces.take(id)
      const posting = Effect.flatMap(postDelivery(to, next.kept, content, next.trigger), (posted) =>
        Queue.offer(ends, posted)
      )
      onTheirWay.set(next.kept.delivery.id, yield* Effect.forkScoped(posting))
      if (next.trigger === "probe") return
    }
  })

  while (true) {
    if (!isOver) yield* launch(kept)
    if (onTheirWay.size === 0) return
    const posted: Array<PostedDelivery> = [...(yield* Effect.raceFirst(Queue.takeAll(ends), firstFailure(onTheirWay)))]
    // Takes all results. Otherwise a receiver with single early answers would need one unit of work per request instead of one per five.
    const ended = Effect.map(Queue.clear(ends), (more) => {
      posted.push(...more)
      return posted
    })
    yield* saveOutcomes(lease, id, ended)
    for (const { kept: ended } of posted) onTheirWay.delete(ended.delivery.id)
    const before: StoredWebhookSubscription = kept
    kept = yield* subscriptions.find(id)
    if (kept === null) return
    const isCrowded = turn.isCrowded() && (yield* Clock.currentTimeMillis) > begun + maxTurnMillis
    if (kept.subscription.status === "disabled") yield* endExpiredDeliveries(lease, kept)
    isOver = isCrowded || !(yield* isInPlan(kept))
    // Selects again after a change of the subscription or its circuit.
    const isSame =
      kept.subscription.version === before.subscription.version && kept.health.circuit === before.health.circuit
    if (!isSame || isOver) waiting = []
  }
}, Effect.scoped)

/** Propagates the first defect of a request. Requests never fail otherwise. */
const firstFailure = (onTheirWay: ReadonlyMap<WebhookDeliveryId, Fiber.Fiber<unknown>>) =>
  Effect.flatMap(
    Effect.forEach(onTheirWay.values(), (fiber) => Fiber.join(fiber), { concurrency: "unbounded" }),
    () => Effect.never
  )

/** Most time is spent waiting for receivers. The limit is high, because a slow receiver must not delay others. */
const maxConcurrentReceivers = 256

/** Interval between checks whether a suspended organization is active, or its plan includes the feature. */
const suspendedRecheckInterval = Duration.minutes(10)

const asWebhookSystem = asSystem("webhooks")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const id = WebhookSubscriptionId.make(key)
  const kept = yield* (yield* WebhookSubscriptions).find(id)
  if (kept === null) return null
  const deliveries = yield* WebhookDeliveries
  const now = yield* DateTime.now
  const [wanted] = yield* deliveries.wanted(id, 1)
  const { health, subscription } = kept
  const due = wanted === undefined ? yield* deliveries.nextDue(id, subscription.ordering) : now
  if (due === null) return null
  const organization = yield* (yield* Organizations).current()
  if (organization.status !== "active" || !(yield* isInPlan(kept)))
    return DateTime.addDuration(now, suspendedRecheckInterval)
  if (wanted !== undefined || subscription.status === "disabled") return now
  if (health.circuit === "closed" || health.probeAt === null) return due
  const { at } = yield* deliveries.oldest(id)
  const probe = DateTime.max(health.probeAt, due)
  // A delivery of exactly the maximum age has not expired yet.
  return at === null
    ? probe
    : DateTime.min(probe, DateTime.add(DateTime.addDuration(at, maxDeliveryAge), { milliseconds: 1 }))
})

/** One process at a time sends to a subscription. */
export const webhookLaneWorker = defineLaneWorker({
  name: webhookTaskName,
  concurrency: maxConcurrentReceivers,
  run: (lease, turn) => asWebhookSystem(lease.organizationId)(processSubscription(lease, turn)),
  nextDue: (lease) => asWebhookSystem(lease.organizationId)(nextDue(lease))
})

/** Retention of deliveries. */
export const deliveryRetention = Duration.days(30)

/** Retention of requests and answers of attempts. */
export const detailRetention = Duration.days(7)

const sweepBatchSize = 1_000

const sweepDeliveries = Effect.gen(function* () {
  const deliveries = yield* WebhookDeliveries
  const now = yield* DateTime.now
  const before = DateTime.subtractDuration(now, deliveryRetention)
  while ((yield* deliveries.sweep(before, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
  const detailsBefore = DateTime.subtractDuration(now, detailRetention)
  while ((yield* deliveries.sweepDetails(detailsBefore, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
})

/** Sends deliveries to subscriptions, and deletes them after thirty days. */
export const webhookTasks = [webhookLaneWorker, sweepOrganizations("webhook deliveries", sweepDeliveries)] as const
