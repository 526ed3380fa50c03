import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { WebhookSubscriptionInUse } from "../Errors.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { audited } from "../shown.ts"
import { SubscriptionUses } from "../SubscriptionUses.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Deletes a subscription that nothing calls. What waits for it is not sent any more, and its secrets are gone. */
export const deleteWebhookSubscription = useCase(
  "webhookSubscriptions.delete",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, expectedVersion: number | null) {
    const subscriptions = yield* WebhookSubscriptions
    yield* (yield* Locks).exclusive("webhook_subscriptions")
    const before = yield* subscriptions.get(id)
    const usedBy = yield* (yield* SubscriptionUses).of(id)
    if (usedBy.length > 0) return yield* new WebhookSubscriptionInUse({ usedBy })
    yield* subscriptions.remove(id, expectedVersion)
    yield* record("webhook_subscription.deleted", { kind: "webhook_subscription", id }, { before: audited(before) })
    yield* appendEvent({ type: "webhook_subscription.deleted", webhookSubscriptionId: id })
  }, transact)
)
