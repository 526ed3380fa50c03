import { ofAllAreas } from "./areas.ts"
import { layerSubscribersOf } from "./events/index.ts"

/** Everybody who follows the logs of events: the reactions of all areas. */
export const layerSubscribers = layerSubscribersOf(ofAllAreas("reactions"))
