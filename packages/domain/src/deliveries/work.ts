import { Effect } from "effect"
import { sweep, type Work } from "../work/index.ts"
import { DeliveryInbox } from "./Deliveries.ts"
import { sweepDeliveries } from "./sweepDeliveries.ts"
import { workDeliveriesOfSources } from "./workDeliveries.ts"

const deliveries = {
  name: "deliveries",
  run: workDeliveriesOfSources,
  wake: { news: Effect.flatMap(DeliveryInbox, (inbox) => inbox.awaitNews) },
  lanes: 2
} satisfies Work<unknown>

/** What providers delivered is worked through. */
export const deliveriesWorks = [deliveries, sweep("deliveries", sweepDeliveries)] as const
