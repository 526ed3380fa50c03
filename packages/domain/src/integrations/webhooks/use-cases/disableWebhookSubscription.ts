import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../../kernel/index.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { disable } from "../disable.ts"
import { lockOwn } from "../ownSubscription.ts"

/** Has nothing delivered any more. What waits is discarded, and can be replayed once the subscription is enabled again. */
export const disableWebhookSubscription = useCase(
  "webhookSubscriptions.disable",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, expectedVersion: number | null) {
    const { subscription: before } = yield* lockOwn(id)
    yield* requireVersion(before, expectedVersion)
    return before.status === "disabled" ? before : yield* disable(before, "manual")
  }, transact)
)
