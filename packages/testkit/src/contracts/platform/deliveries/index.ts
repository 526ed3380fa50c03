import { inboundDeliveries } from "./inboundDeliveries.ts"
import { inboundDeliveryQueue } from "./inboundDeliveryQueue.ts"

export { inboundDeliveriesContract } from "./inboundDeliveries.ts"
export { inboundDeliveryQueueContract } from "./inboundDeliveryQueue.ts"

export const deliveriesContracts = [inboundDeliveries, inboundDeliveryQueue]
