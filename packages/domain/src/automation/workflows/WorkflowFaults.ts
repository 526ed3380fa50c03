import { Schema } from "effect"
import { Fault } from "../../kernel/index.ts"

/** What is wrong with the draft of a workflow. */
export const WorkflowFaults = Schema.Struct({
  faults: Schema.Array(Fault).annotateKey({ description: "With pointers into the workflow; empty if there are none." })
}).annotate({ identifier: "WorkflowFaults" })
export type WorkflowFaults = typeof WorkflowFaults.Type
