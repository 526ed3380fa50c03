import { Effect } from "effect"
import { SubscriberUnknown } from "./Errors.ts"
import type { SubscriberName } from "./Subscriber.ts"
import { SubscriberDirectory } from "./Subscriptions.ts"

/** Refuses a name that no subscriber has ever had here, so that a slip of the pen is not taken for one that has nothing to do. */
export const requireKnown = Effect.fnUntraced(function* (name: SubscriberName) {
  const known = yield* (yield* SubscriberDirectory).list
  if (!known.some((each) => each.name === name)) return yield* new SubscriberUnknown({ name })
})
