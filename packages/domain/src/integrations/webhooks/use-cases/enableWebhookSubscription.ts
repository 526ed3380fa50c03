import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { newHealth } from "../health.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { WebhookSubscription } from "../WebhookSubscription.ts"
import { wakeMaker } from "../makerOfDeliveries.ts"
import { lockOwn } from "../ownSubscription.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Has events delivered again, from the next one on. What was missed can be replayed from `disabledAtPosition`, which stays. */
export const enableWebhookSubscription = useCase(
  "webhookSubscriptions.enable",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "webhook_subscription" },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, expectedVersion: number | null) {
    const subscriptions = yield* WebhookSubscriptions
    const { health, subscription: before } = yield* lockOwn(id)
    yield* requireVersion(before, expectedVersion)
    yield* requireReach(before.permissions)
    if (before.status === "enabled") return before
    const startsAfter = yield* (yield* EventLog).head()
    yield* subscriptions.keep(id, { startsAfter, health: { ...newHealth, lastSuccessAt: health.lastSuccessAt } })
    const after = new WebhookSubscription({ ...before, status: "enabled", disabledReason: null, circuit: "closed" })
    const saved = yield* subscriptions.save(after, expectedVersion)
    yield* wakeMaker
    yield* record(
      "webhook_subscription.enabled",
      { kind: "webhook_subscription", id },
      { before: { status: "disabled", disabledReason: before.disabledReason }, after: { status: "enabled" } }
    )
    yield* appendEvent({ type: "webhook_subscription.enabled", webhookSubscriptionId: id })
    return saved
  }, transact)
)
