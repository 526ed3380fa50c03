import { Layer } from "effect"
import * as InboundDeliveries from "./InboundDeliveries.ts"
import * as InboundDeliveryQueue from "./InboundDeliveryQueue.ts"

export const layer = Layer.mergeAll(InboundDeliveries.layer, InboundDeliveryQueue.layer)
