import { contactWorkflowRuns } from "./contactWorkflowRuns.ts"
import { workflowHolds } from "./workflowHolds.ts"
import { workflowRuns } from "./workflowRuns.ts"
import { workflows } from "./workflows.ts"

export { contactWorkflowRunsContract } from "./contactWorkflowRuns.ts"
export { workflowHoldsContract } from "./workflowHolds.ts"
export { workflowRunsContract } from "./workflowRuns.ts"
export { workflowsContract } from "./workflows.ts"

export const workflowsContracts = [contactWorkflowRuns, workflowHolds, workflowRuns, workflows]
