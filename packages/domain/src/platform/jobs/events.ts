import { Schema } from "effect"
import { eventAppender } from "../../kernel/index.ts"
import { JobId, JobKindName } from "./Job.ts"

export const JobEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("job.started"), jobId: JobId, kind: JobKindName }),
  Schema.Struct({
    type: Schema.Literal("job.finished"),
    jobId: JobId,
    kind: JobKindName,
    state: Schema.Literals(["succeeded", "failed", "cancelled"])
  })
])
export type JobEvent = typeof JobEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = eventAppender<JobEvent>()
