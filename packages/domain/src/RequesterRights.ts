import { ofAllAreas } from "./areas.ts"
import { layerRequesterRightsOf } from "./jobs/index.ts"

export const layerRequesterRights = layerRequesterRightsOf(ofAllAreas("requesters"))
