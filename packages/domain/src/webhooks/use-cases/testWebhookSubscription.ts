import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import {
  CurrentActor,
  CurrentOrganization,
  invalid,
  nextId,
  NotFound,
  refer,
  transact,
  useCase
} from "../../kernel/index.ts"
import { EventTypes } from "../EventTypes.ts"
import { WebhookDeliveryId, type WebhookSubscriptionId } from "../Ids.ts"
import { textOf } from "../sending/body.ts"
import { addressed } from "../sending/postDelivery.ts"
import { WebhookAttempt, type WebhookTest } from "../WebhookDelivery.ts"
import { WebhookSender } from "../WebhookSender.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** The type of a test that nothing else is said of. */
const testType = "webhook.test"

/** Posts an example once, now, and says what came of it. It is no delivery: nothing is tried again, nothing is counted. */
export const testWebhookSubscription = useCase(
  "webhookSubscriptions.test",
  { access: { permission: "webhook_subscriptions.manage" } },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, { type = testType }: WebhookTest) {
    const kept = yield* (yield* WebhookSubscriptions).find(id)
    if (kept === null || kept.feature !== null) return yield* new NotFound({ resource: "webhook subscription" })
    const example = (yield* EventTypes).get(type)?.example
    if (example === undefined && type !== testType) return yield* invalid("/type", "There is no event of this type")
    const at = yield* DateTime.now
    const deliveryId = yield* nextId(WebhookDeliveryId)
    const body = textOf({
      type,
      timestamp: at,
      version: kept.subscription.payloadVersion,
      id: deliveryId,
      organizationId: (yield* CurrentOrganization).id,
      position: null,
      cursor: null,
      actor: refer(yield* CurrentActor),
      causation: null,
      data: example ?? {},
      resource: null,
      test: true
    })
    const sender = yield* WebhookSender
    const { durationMs, error, status } = yield* sender.post({
      ...(yield* addressed(kept)),
      id: deliveryId,
      at,
      attempt: 1,
      body
    })
    yield* transact(
      record("webhook_subscription.tested", { kind: "webhook_subscription", id }, { after: { type, status, error } })
    )
    return new WebhookAttempt({ number: 1, at, trigger: "test", durationMs, status, error })
  })
)
