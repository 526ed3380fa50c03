import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { EventLog, Subscriptions } from "../../platform/events/index.ts"
import { appendEvent } from "./appendEvent.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"
import { makerOfDeliveries } from "./makerOfDeliveries.ts"
import { openSubscriptionLane } from "./subscriptionLane.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { type DisabledReason, WebhookSubscription } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"

/** Up to which position everything was delivered, or was never to be: what comes after can be replayed. */
const deliveredUpTo = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const { position: pending } = yield* (yield* WebhookDeliveries).oldest(id)
  const [cursor] = yield* (yield* Subscriptions).list([makerOfDeliveries])
  // The cursor may be far behind where nobody was told of anything before.
  const begins = (yield* (yield* WebhookSubscriptions).find(id))?.startsAfter ?? 0
  const made = Math.max(begins, cursor?.position ?? (yield* (yield* EventLog).head()))
  return pending === null ? made : Math.min(made, pending - 1)
})

/** Ends the deliveries to a subscription that is locked, with its audit entry and event. Its lane discards what waits. */
export const disable = Effect.fnUntraced(function* (before: WebhookSubscription, reason: DisabledReason) {
  const { id } = before
  const after = new WebhookSubscription({
    ...before,
    status: "disabled",
    disabledReason: reason,
    disabledAtPosition: yield* deliveredUpTo(id)
  })
  // The version is that of the locked row.
  const saved = yield* Effect.orDie((yield* WebhookSubscriptions).save(after, null))
  yield* openSubscriptionLane(id, "bulk")
  yield* record(
    "webhook_subscription.disabled",
    { kind: "webhook_subscription", id },
    { before: { status: "enabled" }, after: { status: "disabled", disabledReason: reason } }
  )
  yield* appendEvent({ type: "webhook_subscription.disabled", webhookSubscriptionId: id, reason })
  return saved
})
