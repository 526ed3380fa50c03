import { layerAssignmentsOf } from "./identity/index.ts"
import { conversationAssignment } from "./inbox/index.ts"

/** What areas give members to look after. */
export const layerAssignments = layerAssignmentsOf([conversationAssignment])
