import { Schema } from "effect"

/** A run that is over stays as it ended. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", {}) {
  override get message() {
    return "The run is over already."
  }
}
