import { defineArea } from "../../kernel/index.ts"
import { sweepTenants } from "../background/index.ts"
import { Deliveries, DeliveryInbox } from "./Deliveries.ts"
import { deliveries, sweepDeliveries } from "./deliveryProcessing.ts"

/** The ports that a storage adapter provides of this area. */
const deliveriesStorage = [Deliveries, DeliveryInbox] as const

/** What providers delivered is worked through. */
export const deliveriesWorks = [deliveries, sweepTenants("deliveries", sweepDeliveries)] as const

/** What this area says of itself. */
export const deliveriesArea = defineArea({
  name: "platform/deliveries",
  storage: deliveriesStorage,
  works: deliveriesWorks
})
