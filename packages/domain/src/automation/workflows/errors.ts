import { Schema } from "effect"
import { ValidationIssue } from "../../kernel/index.ts"
import { NodeId } from "./graph/Node.ts"

/** Only a draft can be deleted, or an archived workflow without live runs. */
export class WorkflowInUse extends Schema.TaggedError<WorkflowInUse>()("WorkflowInUse", {
  liveRuns: Schema.Int
}) {
  override get message() {
    const { liveRuns } = this
    return liveRuns > 0
      ? `The workflow has ${liveRuns} live runs. Archive it, and cancel the runs or wait until they end.`
      : "The workflow is published. Archive it first."
  }
}

/** Problems of a workflow draft. */
export const WorkflowIssues = Schema.Struct({
  faults: Schema.Array(ValidationIssue).annotateKey({
    description: "Errors with pointers into the workflow; empty if there are none."
  })
}).annotate({ identifier: "WorkflowFaults" })
export type WorkflowIssues = typeof WorkflowIssues.Type

/** Only a wait of the graph can end early: not a hold, the end of quiet hours, or a plugin call. */
export class RunNotWaiting extends Schema.TaggedError<RunNotWaiting>()("RunNotWaiting", {
  node: Schema.NullOr(NodeId)
}) {
  override get message() {
    const { node } = this
    const place = node === null ? "The run is in no node" : `The node ${node} is not a wait that has started`
    return `${place}. Read the run for its state and reason.`
  }
}
