import { DateTime, Effect } from "effect"
import { paged, type PageRequest, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import { Lanes } from "../../background/index.ts"
import { type JobFilter, type JobId, Jobs } from "../Job.ts"
import { jobsTaskName } from "../JobQueue.ts"
import { appendEvent } from "../events.ts"

/** Cancels a job: immediately while it waits, before its next step while it runs. Completed steps are not undone. */
export const cancelJob = useCase(
  {
    name: "jobs.cancel",
    access: { permission: "jobs.manage" },
    actsThrough: "nothing",
    audit: "job.cancelled",
    emits: ["job.finished"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: JobId }) {
    const now = yield* DateTime.now
    const { changed, job } = yield* (yield* Jobs).requestCancel(id, now)
    if (!changed) return job
    yield* recordAudit("job.cancelled", { kind: "job", id }, { after: { kind: job.kind } })
    if (job.state === "cancelled") {
      // The lane owner closes the lane immediately, also for a postponed job.
      yield* (yield* Lanes).open({ task: jobsTaskName, key: id, priority: "bulk", dueAt: now })
      yield* appendEvent({ type: "job.finished", jobId: id, kind: job.kind, state: "cancelled" })
    }
    return job
  }, transact)
)

/** Reads a job with its progress and its result. */
export const getJob = useCase(
  { name: "jobs.get", access: { permission: "jobs.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: JobId }) {
    return yield* (yield* Jobs).get(id)
  })
)

const allJobs: JobFilter = { state: null, kind: null }

/** Lists jobs, newest first. */
export const listJobs = useCase(
  { name: "jobs.list", access: { permission: "jobs.read" } },
  Effect.fnUntraced(function* ({ page, ...filter }: { readonly page: PageRequest } & Partial<JobFilter>) {
    const jobs = yield* Jobs
    return yield* paged(
      "jobs",
      page,
      (slice) => jobs.list({ ...allJobs, ...filter }, slice),
      (job) => [job.id]
    )
  })
)
