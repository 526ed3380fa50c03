import { Layer } from "effect"
import * as ContactWorkflowRuns from "./ContactWorkflowRuns.ts"
import * as WorkflowHolds from "./WorkflowHolds.ts"
import * as WorkflowRuns from "./WorkflowRuns.ts"
import * as Workflows from "./Workflows.ts"

export const layer = Layer.mergeAll(ContactWorkflowRuns.layer, WorkflowHolds.layer, WorkflowRuns.layer, Workflows.layer)
