import { contactWorkflowRuns } from "./contactWorkflowRuns.ts"
import { liveWorkflowRuns } from "./liveWorkflowRuns.ts"
import { workflowHolds } from "./workflowHolds.ts"
import { workflowLists } from "./workflowLists.ts"
import { workflowRunLists } from "./workflowRunLists.ts"
import { workflowRuns } from "./workflowRuns.ts"
import { workflows } from "./workflows.ts"

export { contactWorkflowRunsContract } from "./contactWorkflowRuns.ts"
export { liveWorkflowRunsContract } from "./liveWorkflowRuns.ts"
export { workflowHoldsContract } from "./workflowHolds.ts"
export { workflowListsContract } from "./workflowLists.ts"
export { workflowRunListsContract } from "./workflowRunLists.ts"
export { workflowRunsContract } from "./workflowRuns.ts"
export { workflowsContract } from "./workflows.ts"

export const workflowsContracts = [
  contactWorkflowRuns,
  workflowHolds,
  workflowRuns,
  workflowRunLists,
  liveWorkflowRuns,
  workflows,
  workflowLists
]
