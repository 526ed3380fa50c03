import { Effect } from "effect"
import { type DeclaredSubscriber, SubscriberName, Subscriptions } from "../../platform/events/index.ts"

/** Who makes deliveries of events, by the name of its cursor. */
export const makerOfDeliveries = {
  name: SubscriberName.make("webhooks.make_deliveries"),
  types: "all" as const
} satisfies DeclaredSubscriber

/** Has deliveries made from this commit on: while nobody is told of events, it rests. */
export const wakeMaker = Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.wake(makerOfDeliveries.name))
