import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { newWebhookSecret, replaceSecret, sealSecret } from "../secrets.ts"
import { RotatedSecret, type SecretRotation } from "../WebhookSubscription.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

const aDay = 86_400

/** Makes a new secret and shows it once. The one before it signs as well for a while, so that receivers can change over. */
export const rotateWebhookSecret = useCase(
  "webhookSubscriptions.rotateSecret",
  { access: { permission: "webhook_subscriptions.manage" } },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, { overlapSeconds = aDay }: SecretRotation) {
    const subscriptions = yield* WebhookSubscriptions
    const { secrets } = yield* subscriptions.lock(id)
    const secret = yield* newWebhookSecret
    const now = yield* DateTime.now
    const previousSecretExpiresAt = DateTime.add(now, { seconds: overlapSeconds })
    const sealed = yield* sealSecret(id, secret)
    yield* subscriptions.keep(id, { secrets: replaceSecret(secrets, sealed, now, previousSecretExpiresAt) })
    yield* record("webhook_subscription.secret_rotated", { kind: "webhook_subscription", id })
    yield* appendEvent({ type: "webhook_subscription.secret_rotated", webhookSubscriptionId: id })
    return new RotatedSecret({ secret, previousSecretExpiresAt })
  }, transact)
)
