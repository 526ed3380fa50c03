import { Effect } from "effect"
import { ofAllAreas } from "./areas.ts"
import { layerDeliverySourcesOf, workDeliveriesOfSources } from "./deliveries/index.ts"

/** Everything that deliveries come to: the sources of all areas. */
export const layerDeliverySources = layerDeliverySourcesOf(ofAllAreas("deliverySources"))

/** Works through deliveries, one organization after the other, until there is none that can be claimed now. */
export const workDeliveries = Effect.provide(workDeliveriesOfSources, layerDeliverySources)
