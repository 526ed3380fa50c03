import { DateTime, Effect } from "effect"
import { Lanes, type WorkName } from "../../platform/background/index.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"

/** What subscriptions are called among the works: each has a lane, so that one process at a time posts to it. */
export const webhooksWork: WorkName = "webhooks"

/** Has somebody look after what waits for a subscription. What a person asks for goes before what happened. */
export const openSubscriptionLane = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  priority: "person" | "bulk"
) {
  yield* (yield* Lanes).open({ work: webhooksWork, key: id, priority, dueAt: yield* DateTime.now })
})
