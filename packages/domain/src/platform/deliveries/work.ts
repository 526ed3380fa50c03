import { sweepTenants } from "../background/index.ts"
import { sweepDeliveries } from "./sweepDeliveries.ts"
import { deliveries } from "./workDeliveries.ts"

/** What providers delivered is worked through. */
export const deliveriesWorks = [deliveries, sweepTenants("deliveries", sweepDeliveries)] as const
