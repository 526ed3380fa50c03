import { Layer } from "effect"
import * as WorkflowRuns from "./WorkflowRuns.ts"
import * as Workflows from "./Workflows.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(WorkflowRuns.layer, Workflows.layer)
