import { Effect } from "effect"
import { ofAllAreas } from "./areas.ts"
import { deliveries, layerDeliverySourcesOf } from "./platform/deliveries/index.ts"
import { workDue } from "./platform/background/index.ts"

/** Everything that deliveries come to: the sources of all areas. */
export const layerDeliverySources = layerDeliverySourcesOf(ofAllAreas("deliverySources"))

/** Works through all deliveries whose time has come, of organizations that nobody else works for. */
export const workDeliveries = Effect.provide(workDue(deliveries), layerDeliverySources)
