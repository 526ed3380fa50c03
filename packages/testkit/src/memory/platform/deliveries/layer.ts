import { Layer } from "effect"
import * as Deliveries from "./Deliveries.ts"
import * as DeliveryInbox from "./DeliveryInbox.ts"

export const layer = Layer.mergeAll(Deliveries.layer, DeliveryInbox.layer)
