import { Schema } from "effect"

/** A workflow is deleted while it is a draft, or archived without live runs. */
export class WorkflowInUse extends Schema.TaggedError<WorkflowInUse>()("WorkflowInUse", {
  liveRuns: Schema.Int
}) {
  override get message() {
    const { liveRuns } = this
    return liveRuns > 0
      ? `The workflow has ${liveRuns} live runs. Archive it, and wait for them or end them.`
      : "The workflow is published. Archive it first."
  }
}
