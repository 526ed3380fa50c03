import { Schema } from "effect"

/** A step cannot go on, and says why in a sentence for people. It fails the job; it is not tried again. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}
