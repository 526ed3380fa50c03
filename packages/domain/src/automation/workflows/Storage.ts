import { ContactWorkflowRuns } from "./runs/ContactWorkflowRuns.ts"
import { WorkflowHolds } from "./runs/holding/WorkflowHolds.ts"
import { WorkflowRuns } from "./runs/WorkflowRuns.ts"
import { Workflows } from "./Workflows.ts"

/** The ports that a storage adapter provides of this area. */
export const workflowsStorage = [ContactWorkflowRuns, WorkflowHolds, WorkflowRuns, Workflows] as const
