import { defineArea } from "../../kernel/index.ts"
import { sweepOrganizations } from "../background/index.ts"
import { InboundDeliveries, InboundDeliveryQueue } from "./InboundDeliveries.ts"
import { inboundDeliveryWorker, sweepInboundDeliveries } from "./deliveryProcessing.ts"

const deliveriesStorage = [InboundDeliveries, InboundDeliveryQueue] as const

/** Processes inbound deliveries. */
export const deliveryTasks = [inboundDeliveryWorker, sweepOrganizations("deliveries", sweepInboundDeliveries)] as const

export const deliveriesArea = defineArea({
  name: "platform/deliveries",
  storage: deliveriesStorage,
  backgroundTasks: deliveryTasks
})
