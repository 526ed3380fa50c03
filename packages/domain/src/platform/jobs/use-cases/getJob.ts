import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { JobId } from "../Job.ts"
import { Jobs } from "../Jobs.ts"

/** Reads a job: how far it is, and what came of it. */
export const getJob = useCase(
  "jobs.get",
  { access: { permission: "jobs.read" } },
  Effect.fnUntraced(function* (id: JobId) {
    return yield* (yield* Jobs).get(id)
  })
)
