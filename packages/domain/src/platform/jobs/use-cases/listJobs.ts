import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { type JobFilter, Jobs } from "../Jobs.ts"

/** Reads the jobs, newest first. */
export const listJobs = useCase(
  "jobs.list",
  { access: { permission: "jobs.read" } },
  Effect.fnUntraced(function* (filter: JobFilter, page: PageRequest) {
    const jobs = yield* Jobs
    return yield* paged(
      "jobs",
      page,
      (slice) => jobs.list(filter, slice),
      (job) => [job.id]
    )
  })
)
