import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { JobId } from "../Job.ts"
import { Jobs } from "../Jobs.ts"

/** Stops a job: at once while it waits, before its next step while it runs. What it has done stays done. */
export const cancelJob = useCase(
  "jobs.cancel",
  { access: { permission: "jobs.manage" } },
  Effect.fnUntraced(function* (id: JobId) {
    const { changed, job } = yield* (yield* Jobs).requestCancel(id, yield* DateTime.now)
    if (!changed) return job
    yield* record("job.cancelled", { kind: "job", id }, { after: { kind: job.kind } })
    if (job.state === "cancelled") {
      yield* appendEvent({ type: "job.finished", jobId: id, kind: job.kind, state: "cancelled" })
    }
    return job
  }, transact)
)
