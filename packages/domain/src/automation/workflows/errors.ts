import { Schema } from "effect"
import { ValidationIssue } from "../../kernel/index.ts"

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

/** An ended run cannot change. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", {}) {
  override get message() {
    return "The run has already ended."
  }
}
