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

/** How many requests are on their way to one receiver. */
const maxConcurrentRequests = 5

/** After so long a subscription makes room for others, where they wait for it. */
const maxTurnMillis = 10_000

const endBatchSize = 500

/** Ends what is not to be sent any more, some in each unit of work. */
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

/** Ends what waits for a receiver that is disabled, and what has waited for too long behind an open circuit. */
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
 * Those that may be sent still: a subscription may have been written anew since they were made, by somebody who may see less. The
 * others end. What an automation posts is no event, and is sent wherever it says.
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

/** The events of deliveries, by their positions. */
const loadEvents = Effect.fnUntraced(function* (chosen: ReadonlyArray<SelectedDelivery>) {
  const positions = chosen.flatMap(({ kept }) => (kept.delivery.position === null ? [] : [kept.delivery.position]))
  const events = yield* (yield* EventLog).at(positions)
  return new Map(events.map((logged): readonly [number, LoggedEvent] => [logged.position, logged]))
})

/**
 * What a delivery posts. A call is read once more: it waits for its turn after it was chosen, and is `null` where it was blanked meanwhile.
 */
const loadDeliveryContent = Effect.fnUntraced(function* (
  { call, delivery: { id, position } }: StoredWebhookDelivery,
  events: ReadonlyMap<number, LoggedEvent>
) {
  if (call !== null) return yield* (yield* WebhookDeliveries).call(id)
  // The log keeps every event; without it there is nothing to tell.
  return events.get(position ?? 0) ?? (yield* Effect.die(new Error(`There is no event ${position}.`)))
})

/**
 * Posts what is due to one receiver, some at a time, until nothing is. What came of each request is kept as soon as it is known,
 * together with what else ended meanwhile.
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
      const told = yield* loadDeliveryContent(next.kept, events)
      if (told === null) continue
      yield* paces.take(id)
      const posting = Effect.flatMap(postDelivery(to, next.kept, told, next.trigger), (posted) =>
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
    // Otherwise a receiver whose first answer comes alone would have a unit of work for one request in the place of five, again and again.
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
    // What was chosen is chosen anew where somebody has changed the subscription, or the circuit has.
    const isSame =
      kept.subscription.version === before.subscription.version && kept.health.circuit === before.health.circuit
    if (!isSame || isOver) waiting = []
  }
}, Effect.scoped)

/** Fails as the first request does that ends in a defect: none ends in a failure. */
const firstFailure = (onTheirWay: ReadonlyMap<WebhookDeliveryId, Fiber.Fiber<unknown>>) =>
  Effect.flatMap(
    Effect.forEach(onTheirWay.values(), (fiber) => Fiber.join(fiber), { concurrency: "unbounded" }),
    () => Effect.never
  )

/** Receivers mostly are waited for, so there is room for many: a slow one keeps no other waiting. */
const maxConcurrentReceivers = 256

/** When to look again whether a suspended organization is active, or a plan has what it lacks. */
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
  // What is exactly as old as that has not waited for too long yet.
  return at === null
    ? probe
    : DateTime.min(probe, DateTime.add(DateTime.addDuration(at, maxDeliveryAge), { milliseconds: 1 }))
})

/** Each subscription is posted to by one process at a time. */
export const webhookLaneWorker = defineLaneWorker({
  name: webhookTaskName,
  concurrency: maxConcurrentReceivers,
  run: (lease, turn) => asWebhookSystem(lease.organizationId)(processSubscription(lease, turn)),
  nextDue: (lease) => asWebhookSystem(lease.organizationId)(nextDue(lease))
})

/** For how long it is kept what was delivered. */
export const deliveryRetention = Duration.days(30)

const sweepBatchSize = 1_000

const sweepDeliveries = Effect.gen(function* () {
  const deliveries = yield* WebhookDeliveries
  const before = DateTime.subtractDuration(yield* DateTime.now, deliveryRetention)
  while ((yield* deliveries.sweep(before, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
})

/** Events are posted to those who subscribed, and what was delivered is forgotten after thirty days. */
export const webhookTasks = [webhookLaneWorker, sweepOrganizations("webhook deliveries", sweepDeliveries)] as const
