import { failedInboundDeliveries } from "./failedInboundDeliveries.ts"
import { inboundDeliveries } from "./inboundDeliveries.ts"
import { inboundDeliveryClaims } from "./inboundDeliveryClaims.ts"
import { inboundDeliveryQueue } from "./inboundDeliveryQueue.ts"
import { inboundDeliverySweeps } from "./inboundDeliverySweeps.ts"

export { failedInboundDeliveriesContract } from "./failedInboundDeliveries.ts"
export { inboundDeliveriesContract } from "./inboundDeliveries.ts"
export { inboundDeliveryClaimsContract } from "./inboundDeliveryClaims.ts"
export { inboundDeliveryQueueContract } from "./inboundDeliveryQueue.ts"
export { inboundDeliverySweepsContract } from "./inboundDeliverySweeps.ts"

export const deliveriesContracts = [
  inboundDeliveries,
  inboundDeliveryQueue,
  inboundDeliveryClaims,
  failedInboundDeliveries,
  inboundDeliverySweeps
]
