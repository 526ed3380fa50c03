import { DateTime, Effect } from "effect"
import { type Actor, CurrentActor, nextId, permissionsOf, refer } from "../../kernel/index.ts"
import { type LanePriority, Lanes } from "../background/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { Job, JobId } from "./Job.ts"
import type { JobKind } from "./JobKind.ts"
import { jobsWork } from "./JobQueue.ts"
import { Jobs } from "./Jobs.ts"

/** Whoever asked in person watches the progress; what a program asked for, or another job, is not to keep them waiting. */
const priorityFor = ({ kind }: Actor): LanePriority => (kind === "user" || kind === "operator" ? "person" : "bulk")

/**
 * Has work of this kind done in the background, on behalf of whoever acts. A use case calls it in its unit of work, checks
 * the permission and records the change itself.
 */
export const startJob = Effect.fnUntraced(function* <Input, R>(
  kind: JobKind<Input, R>,
  input: Input,
  { id, total = null }: { readonly id?: JobId; readonly total?: number | null } = {}
) {
  const now = yield* DateTime.now
  const actor = yield* CurrentActor
  const job = new Job({
    id: id ?? (yield* nextId(JobId)),
    kind: kind.name,
    state: "queued",
    progress: { done: 0, total },
    counts: {},
    error: null,
    errorCode: null,
    resultUrl: null,
    cancelRequested: false,
    createdBy: refer(actor),
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    updatedAt: now
  })
  yield* (yield* Jobs).insert({ job, input: yield* kind.encodeInput(input), permissions: permissionsOf(actor) })
  const lane = { work: jobsWork, key: job.id, priority: priorityFor(actor), dueAt: now }
  yield* (yield* Lanes).open(lane)
  yield* appendEvent({ type: "job.started", jobId: job.id, kind: job.kind })
  return job
})
