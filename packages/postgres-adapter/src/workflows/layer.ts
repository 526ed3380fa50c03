import { Layer } from "effect"
import * as WorkflowHolds from "./WorkflowHolds.ts"
import * as WorkflowRuns from "./WorkflowRuns.ts"
import * as Workflows from "./Workflows.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(WorkflowHolds.layer, WorkflowRuns.layer, Workflows.layer)
