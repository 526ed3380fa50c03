import { ofAllAreas } from "./areas.ts"
import { layerRequesterRightsOf } from "./jobs/index.ts"

/** Current permissions of job requesters. */
export const layerRequesterRights = layerRequesterRightsOf(ofAllAreas("requesters"))
