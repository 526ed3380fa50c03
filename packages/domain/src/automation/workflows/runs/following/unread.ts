import { DateTime, Effect } from "effect"
import { SubscriberName, Subscriptions } from "../../../../platform/events/index.ts"
import { followedTypes, followingName } from "./followedTypes.ts"

const follower = { name: SubscriberName.make(followingName), types: followedTypes }

/** Whether something was logged before then that runs do not know of yet. */
export const hasUnread = Effect.fnUntraced(function* (before: DateTime.Utc) {
  const [subscription] = yield* (yield* Subscriptions).list([follower])
  const next = subscription?.next ?? null
  return next !== null && DateTime.isLessThan(next.at, before)
})
