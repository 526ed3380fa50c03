import { sweep } from "../work/index.ts"
import { sweepDeliveries } from "./sweepDeliveries.ts"
import { deliveries } from "./workDeliveries.ts"

/** What providers delivered is worked through. */
export const deliveriesWorks = [deliveries, sweep("deliveries", sweepDeliveries)] as const
