import { Effect } from "effect"
import { type Permission, requireReach } from "../../kernel/index.ts"
import { SubscriptionUses } from "./SubscriptionUses.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"

/** Bodies of `call_webhook` can contain data of contacts, conversations and orders. */
export const callPermissions: ReadonlyArray<Permission> = ["contacts.read", "conversations.read", "commerce.read"]

/** Fails unless the actor can read everything that automations and workflows post to the subscription. */
export const requireReachOfCalls = Effect.fnUntraced(function* ({
  events,
  id
}: Pick<WebhookSubscription, "events" | "id">) {
  // Without events, a subscription exists only for calls. Their retries continue after the automation is deleted.
  const isCalled = events.length === 0 || (yield* (yield* SubscriptionUses).of(id)).length > 0
  yield* requireReach(isCalled ? callPermissions : [])
})
