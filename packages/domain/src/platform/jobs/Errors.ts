import { Effect, Schema } from "effect"
import { JobErrorCode } from "./Job.ts"

/** A step cannot continue. `reason` is a sentence for users. The job fails and is not retried. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", {
  reason: Schema.String,
  code: JobErrorCode.pipe(Schema.withConstructorDefault(Effect.succeed<JobErrorCode>("refused")))
}) {
  override get message() {
    return this.reason
  }
}
