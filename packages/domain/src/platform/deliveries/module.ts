import { defineArea } from "../../kernel/index.ts"
import { sweepOrganizations } from "../background/index.ts"
import { InboundDeliveries, InboundDeliveryQueue } from "./InboundDeliveries.ts"
import { inboundDeliveryWorker, sweepInboundDeliveries } from "./deliveryProcessing.ts"

/** The ports that a storage adapter provides of this area. */
const deliveriesStorage = [InboundDeliveries, InboundDeliveryQueue] as const

/** What providers delivered is worked through. */
export const deliveryTasks = [inboundDeliveryWorker, sweepOrganizations("deliveries", sweepInboundDeliveries)] as const

/** What this area says of itself. */
export const deliveriesArea = defineArea({
  name: "platform/deliveries",
  storage: deliveriesStorage,
  works: deliveryTasks
})
