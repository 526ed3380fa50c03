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

/** What subscriptions are called among the works: each has a lane, so that one process at a time posts to it. */
export const webhookTaskName: TaskName = "webhooks"

/** Has somebody look after what waits for a subscription. What a person asks for goes before what happened. */
export const scheduleSubscriptionLane = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  priority: "person" | "bulk"
) {
  yield* (yield* Lanes).open({ work: webhookTaskName, key: id, priority, dueAt: yield* DateTime.now })
})

/** Who makes deliveries of events, by the name of its cursor. */
export const deliveryFanOut = {
  name: EventConsumerName.make("webhooks.make_deliveries"),
  types: "all" as const
} satisfies DeclaredEventConsumer

/** Has deliveries made from this commit on: while nobody is told of events, it rests. */
export const wakeFanOut = Effect.flatMap(EventCursors, (subscriptions) => subscriptions.wake(deliveryFanOut.name))

/** Closes the open circuit of a locked subscription, and schedules its waiting deliveries. */
export const closeCircuit = Effect.fnUntraced(function* ({ health, subscription: { id } }: StoredWebhookSubscription) {
  if (health.circuit === "closed") return
  const { lastSuccessAt } = health
  yield* (yield* WebhookSubscriptions).keep(id, { health: { ...newHealth, lastSuccessAt } })
  yield* scheduleSubscriptionLane(id, "person")
})

/** Up to which position everything was delivered, or was never to be: what comes after can be replayed. */
const lastDeliveredPosition = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { position: pending } = yield* (yield* WebhookDeliveries).oldest(id)
  const [cursor] = yield* (yield* EventCursors).list([deliveryFanOut])
  // The cursor may be far behind where nobody was told of anything before.
  const begins = (yield* (yield* WebhookSubscriptions).find(id))?.startsAfter ?? 0
  const made = Math.max(begins, cursor?.position ?? (yield* (yield* EventLog).head()))
  return pending === null ? made : Math.min(made, pending - 1)
})

/** Ends the deliveries to a subscription that is locked, with its audit entry and event. Its lane discards what waits. */
export const disableSubscription = Effect.fnUntraced(function* (before: WebhookSubscription, reason: DisabledReason) {
  const { id } = before
  const after = new WebhookSubscription({
    ...before,
    status: "disabled",
    disabledReason: reason,
    disabledAtPosition: yield* lastDeliveredPosition(id)
  })
  // The version is that of the locked row.
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

/** What is posted, and for what. `key` is `run:step:visit`: the same names the same delivery. */
export interface WebhookCallRequest extends Omit<WebhookCall, "actor" | "causation"> {
  readonly key: string
}

/**
 * Has something posted to a subscription, in the unit of work of whoever wants it to, with all its retries. Asked for once more by the same
 * key, it is the same delivery.
 */
export const callSubscription = Effect.fnUntraced(function* (
  subscriptionId: WebhookSubscriptionId,
  { key, ...said }: WebhookCallRequest
) {
  const kept = yield* (yield* WebhookSubscriptions).find(subscriptionId)
  if (kept === null || kept.feature !== null) return yield* new NotFound({ resource: "webhook subscription" })
  if (kept.subscription.status === "disabled") return yield* new WebhookSubscriptionDisabled()
  const id = WebhookDeliveryId.make(yield* (yield* Ids).derived(subscriptionId, key))
  const { contactId, runId } = said
  const call: WebhookCall = { ...said, actor: toActorRef(yield* CurrentActor), causation: yield* CurrentCausation }
  const subject = contactId === null ? `runId:${runId}` : `contactId:${contactId}`
  const at = yield* DateTime.now
  yield* (yield* WebhookDeliveries).make([{ id, subscriptionId, type: callType, position: null, subject, at, call }])
  yield* scheduleSubscriptionLane(subscriptionId, "bulk")
  return id
})
