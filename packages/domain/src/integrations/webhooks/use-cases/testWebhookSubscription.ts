import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import {
  CurrentActor,
  CurrentOrganization,
  invalid,
  nextId,
  NotFound,
  refer,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { closeCircuit } from "../closeCircuit.ts"
import { EventTypes } from "../../../platform/events/index.ts"
import { WebhookDeliveryId, type WebhookSubscriptionId } from "../Ids.ts"
import { textOf } from "../sending/body.ts"
import { addressed } from "../sending/postDelivery.ts"
import { WebhookAttempt, type WebhookTest } from "../WebhookDelivery.ts"
import { WebhookSender } from "../WebhookSender.ts"
import { type KeptSubscription, WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** The type of a test that nothing else is said of. */
const testType = "webhook.test"

/** Closes the circuit after the receiver accepts a test, unless the subscription has changed during the test. */
const closeAfter = Effect.fnUntraced(
  function* ({ subscription: { id, version } }: KeptSubscription) {
    const kept = yield* (yield* WebhookSubscriptions).lock(id)
    if (kept.subscription.version === version) yield* closeCircuit(kept)
  },
  Effect.catchTag("NotFound", () => Effect.void)
)

/** Posts an example once and returns the attempt. A test is not a delivery: it is not retried or counted. A success closes the circuit. */
export const testWebhookSubscription = useCase(
  "webhookSubscriptions.test",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "nothing" },
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
      Effect.gen(function* () {
        if (error === null) yield* closeAfter(kept)
        const target = { kind: "webhook_subscription", id } as const
        yield* record("webhook_subscription.tested", target, { after: { type, status, error } })
      })
    )
    return new WebhookAttempt({ number: 1, at, trigger: "test", durationMs, status, error })
  })
)
