import { ofAllAreas } from "./areas.ts"
import { layerEventResourcesOf } from "./kernel/index.ts"

/** What events are about, in all areas. */
export const layerEventResources = layerEventResourcesOf(ofAllAreas("eventResources"))
