import { ofAllAreas } from "./areas.ts"
import { layerWorkflowStartsOf } from "./automation/automations/index.ts"

/** What begins workflows, from whichever area has them. */
export const layerWorkflowStarts = layerWorkflowStartsOf(ofAllAreas("workflowStarts"))
