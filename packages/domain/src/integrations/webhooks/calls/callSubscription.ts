import { DateTime, Effect } from "effect"
import { CurrentActor, CurrentCausation, Ids, NotFound, refer } from "../../../kernel/index.ts"
import { WebhookSubscriptionDisabled } from "../Errors.ts"
import { WebhookDeliveryId, type WebhookSubscriptionId } from "../Ids.ts"
import { openSubscriptionLane } from "../subscriptionLane.ts"
import { WebhookDeliveries } from "../WebhookDeliveries.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"
import { callType, type WebhookCall } from "./WebhookCall.ts"

/** What is posted, and for what. `key` is `run:step:visit`: the same names the same delivery. */
export interface AskedOfSubscription extends Omit<WebhookCall, "actor" | "causation"> {
  readonly key: string
}

/**
 * Has something posted to a subscription, in the unit of work of whoever wants it to, with all its retries. Asked for once more by the same
 * key, it is the same delivery.
 */
export const callSubscription = Effect.fnUntraced(function* (
  subscriptionId: WebhookSubscriptionId,
  { key, ...said }: AskedOfSubscription
) {
  const kept = yield* (yield* WebhookSubscriptions).find(subscriptionId)
  if (kept === null || kept.feature !== null) return yield* new NotFound({ resource: "webhook subscription" })
  if (kept.subscription.status === "disabled") return yield* new WebhookSubscriptionDisabled()
  const id = WebhookDeliveryId.make(yield* (yield* Ids).derived(subscriptionId, key))
  const { contactId, runId } = said
  const call: WebhookCall = { ...said, actor: refer(yield* CurrentActor), causation: yield* CurrentCausation }
  const subject = contactId === null ? `runId:${runId}` : `contactId:${contactId}`
  const at = yield* DateTime.now
  yield* (yield* WebhookDeliveries).make([{ id, subscriptionId, type: callType, position: null, subject, at, call }])
  yield* openSubscriptionLane(subscriptionId, "bulk")
  return id
})
