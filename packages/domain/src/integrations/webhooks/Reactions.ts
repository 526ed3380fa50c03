import { Effect, Schema } from "effect"
import { defineSubscriber } from "../../platform/events/index.ts"
import type { EventShape } from "../../kernel/index.ts"
import { makerOfDeliveries } from "./makerOfDeliveries.ts"
import { deliveriesOf, matcherFor } from "./matching.ts"
import { openSubscriptionLane } from "./subscriptionLane.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"

/** Events of any type, as they stand in the log. */
const AnyEvent: Schema.Codec<EventShape, unknown> = Schema.StructWithRest(Schema.Struct({ type: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/** One for calls alone names no events. */
const isToldOfEvents = ({ events }: WebhookSubscription) => events.length > 0

/** Makes a delivery of each event for each subscription that it is for, in the commit that moves the cursor past it. */
const makeDeliveries = defineSubscriber({
  name: makerOfDeliveries.name,
  schema: AnyEvent,
  events: makerOfDeliveries.types,
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const kept = (yield* (yield* WebhookSubscriptions).enabled()).filter(({ subscription }) =>
      isToldOfEvents(subscription)
    )
    if (kept.length === 0) return "nobody"
    for (const { startsAfter, subscription } of kept) {
      const { isFor } = yield* matcherFor(subscription)
      const meant = events.filter((logged) => logged.position > startsAfter && isFor(logged))
      if (meant.length === 0) continue
      yield* (yield* WebhookDeliveries).make(yield* deliveriesOf(subscription, meant))
      yield* openSubscriptionLane(subscription.id, "bulk")
    }
    return "done"
  })
})

/** What this area does about events. */
export const webhooksReactions = [makeDeliveries] as const
