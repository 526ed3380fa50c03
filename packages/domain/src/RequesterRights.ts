import { ofAllAreas } from "./areas.ts"
import { layerRequesterRightsOf } from "./platform/jobs/index.ts"

export const layerRequesterRights = layerRequesterRightsOf(ofAllAreas("requesters"))
