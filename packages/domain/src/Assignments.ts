import { ofAllAreas } from "./areas.ts"
import { layerAssignmentsOf } from "./platform/identity/index.ts"

/** What areas give members to look after. */
export const layerAssignments = layerAssignmentsOf(ofAllAreas("assignments"))
