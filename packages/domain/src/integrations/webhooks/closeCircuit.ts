import { Effect } from "effect"
import { newHealth } from "./health.ts"
import { openSubscriptionLane } from "./subscriptionLane.ts"
import { type KeptSubscription, WebhookSubscriptions } from "./WebhookSubscriptions.ts"

/** Closes the open circuit of a locked subscription, and schedules its waiting deliveries. */
export const closeCircuit = Effect.fnUntraced(function* ({ health, subscription: { id } }: KeptSubscription) {
  if (health.circuit === "closed") return
  const { lastSuccessAt } = health
  yield* (yield* WebhookSubscriptions).keep(id, { health: { ...newHealth, lastSuccessAt } })
  yield* openSubscriptionLane(id, "person")
})
