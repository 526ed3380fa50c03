import { ofAllAreas } from "./areas.ts"
import { layerJobKindsOf } from "./platform/jobs/index.ts"

/** Every kind of job there is: the kinds of all areas. */
export const layerJobKinds = layerJobKindsOf(ofAllAreas("jobs"))
