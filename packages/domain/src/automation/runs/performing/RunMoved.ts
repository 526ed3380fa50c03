import { Schema } from "effect"

/** Somebody else has changed the run: it was handed to another contact, or forgotten. */
export class RunMoved extends Schema.TaggedError<RunMoved>()("RunMoved", {}) {
  override get message() {
    return "The run was changed by somebody else."
  }
}
