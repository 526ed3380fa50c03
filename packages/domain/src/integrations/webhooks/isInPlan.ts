import { Effect } from "effect"
import { FeatureGate } from "../../kernel/index.ts"
import type { KeptSubscription } from "./WebhookSubscriptions.ts"

/** Whether the plan has the feature whose the subscription is. What waits for it goes out once it has. */
export const isInPlan = Effect.fnUntraced(function* ({ feature }: KeptSubscription) {
  if (feature === null) return true
  return yield* Effect.match((yield* FeatureGate).require(feature), { onFailure: () => false, onSuccess: () => true })
})
