import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { lockOwn } from "../ownSubscription.ts"
import { renewSecret } from "../secrets.ts"
import type { SecretRotation } from "../WebhookSubscription.ts"

const aDay = 86_400

/** Makes a new secret and shows it once. The one before it signs as well for a while, so that receivers can change over. */
export const rotateWebhookSecret = useCase(
  "webhookSubscriptions.rotateSecret",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, { overlapSeconds = aDay }: SecretRotation) {
    const rotated = yield* renewSecret(yield* lockOwn(id), overlapSeconds)
    yield* record("webhook_subscription.secret_rotated", { kind: "webhook_subscription", id })
    yield* appendEvent({ type: "webhook_subscription.secret_rotated", webhookSubscriptionId: id })
    return rotated
  }, transact)
)
