import { type DeclaredSubscriber, SubscriberName } from "../events/index.ts"

/** Who makes deliveries of events, by the name of its cursor. */
export const makerOfDeliveries = {
  name: SubscriberName.make("webhooks.make_deliveries"),
  types: "all" as const
} satisfies DeclaredSubscriber
