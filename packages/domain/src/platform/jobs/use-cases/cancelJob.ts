import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { Lanes } from "../../background/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { JobId } from "../Job.ts"
import { jobsWork } from "../JobQueue.ts"
import { Jobs } from "../Jobs.ts"

/** Stops a job: at once while it waits, before its next step while it runs. What it has done stays done. */
export const cancelJob = useCase(
  "jobs.cancel",
  { access: { permission: "jobs.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: JobId) {
    const now = yield* DateTime.now
    const { changed, job } = yield* (yield* Jobs).requestCancel(id, now)
    if (!changed) return job
    yield* record("job.cancelled", { kind: "job", id }, { after: { kind: job.kind } })
    if (job.state === "cancelled") {
      // Its owner closes the lane at once, also if the job was put off.
      yield* (yield* Lanes).open({ work: jobsWork, key: id, priority: "bulk", dueAt: now })
      yield* appendEvent({ type: "job.finished", jobId: id, kind: job.kind, state: "cancelled" })
    }
    return job
  }, transact)
)
