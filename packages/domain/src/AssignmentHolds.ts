import { ofAllAreas } from "./areas.ts"
import { layerAssignmentHoldsOf } from "./messaging/inbox/index.ts"

/** What holds conversations that wait to be handed out, in all areas. */
export const layerAssignmentHolds = layerAssignmentHoldsOf(ofAllAreas("assignmentHolds"))
