import { Effect } from "effect"
import { NotFound } from "../../kernel/index.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"

/** Takes a subscription that people have written, to change it. Those of features are changed by whoever has made them. */
export const lockOwn = Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
  const kept = yield* (yield* WebhookSubscriptions).lock(id)
  return kept.feature === null ? kept : yield* new NotFound({ resource: "webhook subscription" })
})
