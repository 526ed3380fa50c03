import { Schema } from "effect"

/** An ended run of an automation or a workflow cannot change. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", {}) {
  override get message() {
    return "The run has already ended."
  }
}
