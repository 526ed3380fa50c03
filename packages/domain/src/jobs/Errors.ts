import { Schema } from "effect"

/** A step cannot go on, and says why in a sentence for people. It fails the job; it is not tried again. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Another runner has taken the job over, or it is finished: whatever this one was about to write is void. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {}) {
  override get message() {
    return "The job is not this runner's any more."
  }
}
