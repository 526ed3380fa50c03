import { DateTime, Effect } from "effect"
import { CurrentActor, CurrentCausation, Ids, NotFound, toActorRef } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { Lanes, type TaskName } from "../../platform/background/index.ts"
import { type DeclaredEventConsumer, EventLog, EventConsumerName, EventCursors } from "../../platform/events/index.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { callType, type WebhookCall } from "./WebhookDelivery.ts"
import {
  type DisabledReason,
  WebhookDeliveryId,
  WebhookSubscription,
  type WebhookSubscriptionId
} from "./WebhookSubscription.ts"
import { type StoredWebhookSubscription, WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { newHealth } from "./deliveryRetries.ts"
import { WebhookSubscriptionDisabled } from "./errors.ts"
import { appendEvent } from "./events.ts"

/** Name of the background task. Each subscription has a lane, so one process at a time sends to it. */
export const webhookTaskName: TaskName = "webhooks"

/** Schedules the lane of a subscription. Requests of people have priority over events. */
export const scheduleSubscriptionLane = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  priority: "person" | "bulk"
) {
  yield* (yield* Lanes).open({ task: webhookTaskName, key: id, priority, dueAt: yield* DateTime.now })
})

/** Event consumer that creates deliveries, by the name of its cursor. */
export const deliveryFanOut = {
  name: EventConsumerName.make("webhooks.make_deliveries"),
  types: "all" as const
} satisfies DeclaredEventConsumer

/** Wakes the consumer in this commit. It sleeps while no subscription receives events. */
export const wakeFanOut = Effect.flatMap(EventCursors, (subscriptions) => subscriptions.wake(deliveryFanOut.name))

/** Closes the open circuit of a locked subscription, and schedules its waiting deliveries. */
export const closeCircuit = Effect.fnUntraced(function* ({ health, subscription: { id } }: StoredWebhookSubscription) {
  if (health.circuit === "closed") return
  const { lastSuccessAt } = health
  yield* (yield* WebhookSubscriptions).keep(id, { health: { ...newHealth, lastSuccessAt } })
  yield* scheduleSubscriptionLane(id, "person")
})

/** Returns a log position: all events up to it were delivered or excluded. Later events can be replayed. */
const lastDeliveredPosition = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { position: pending } = yield* (yield* WebhookDeliveries).oldest(id)
  const [cursor] = yield* (yield* EventCursors).list([deliveryFanOut])
  // The cursor can be far behind if no subscription received events before.
  const begins = (yield* (yield* WebhookSubscriptions).find(id))?.startsAfter ?? 0
  const made = Math.max(begins, cursor?.position ?? (yield* (yield* EventLog).head()))
  return pending === null ? made : Math.min(made, pending - 1)
})

/** Disables a locked subscription, with its audit entry and event. Its lane discards pending deliveries. */
export const disableSubscription = Effect.fnUntraced(function* (before: WebhookSubscription, reason: DisabledReason) {
  const { id } = before
  const after = new WebhookSubscription({
    ...before,
    status: "disabled",
    disabledReason: reason,
    disabledAtPosition: yield* lastDeliveredPosition(id)
  })
  // The locked row has this version.
  const saved = yield* Effect.orDie((yield* WebhookSubscriptions).save(after, null))
  yield* scheduleSubscriptionLane(id, "bulk")
  yield* recordAudit(
    "webhook_subscription.disabled",
    { kind: "webhook_subscription", id },
    { before: { status: "enabled" }, after: { status: "disabled", disabledReason: reason } }
  )
  yield* appendEvent({ type: "webhook_subscription.disabled", webhookSubscriptionId: id, reason })
  return saved
})

/** Call of a subscription, with its caller. `key` is `run:step:visit`: equal keys name the same delivery. */
export interface WebhookCallRequest extends Omit<WebhookCall, "actor" | "causation"> {
  readonly key: string
}

/** Creates a delivery of a call in the current unit of work, with all its retries. Calls with equal keys are deduplicated. */
export const callSubscription = Effect.fnUntraced(function* (
  subscriptionId: WebhookSubscriptionId,
  { key, ...input }: WebhookCallRequest
) {
  const kept = yield* (yield* WebhookSubscriptions).find(subscriptionId)
  if (kept === null || kept.feature !== null) return yield* new NotFound({ resource: "webhook subscription" })
  if (kept.subscription.status === "disabled") return yield* new WebhookSubscriptionDisabled()
  const id = WebhookDeliveryId.make(yield* (yield* Ids).derived(subscriptionId, key))
  const { contactId, runId } = input
  const call: WebhookCall = { ...input, actor: toActorRef(yield* CurrentActor), causation: yield* CurrentCausation }
  const subject = contactId === null ? `runId:${runId}` : `contactId:${contactId}`
  const at = yield* DateTime.now
  yield* (yield* WebhookDeliveries).make([{ id, subscriptionId, type: callType, position: null, subject, at, call }])
  yield* scheduleSubscriptionLane(subscriptionId, "bulk")
  return id
})
