import { Context, DateTime, Effect, type Schema } from "effect"
import {
  type Actor,
  CurrentActor,
  nextId,
  type OrganizationId,
  type Permission,
  permissionsOf,
  toActorRef,
  type TenantScoped,
  type Transaction
} from "../../kernel/index.ts"
import {
  type Lane,
  type LaneLease,
  type LanePriority,
  Lanes,
  type LeaseLost,
  type TaskName
} from "../background/index.ts"
import { Job, type JobCounts, type JobErrorCode, JobId, type JobKindName, type JobProgress, Jobs } from "./Job.ts"
import type { JobKind } from "./JobKind.ts"
import { appendEvent } from "./events.ts"

/** Name of the job work. */
export const jobsTaskName: TaskName = "jobs"

/** Returns the lane of a job. Each job has its own lane, so one process at a time runs it. */
export const jobLane = (organizationId: OrganizationId, id: JobId): Lane => ({
  task: jobsTaskName,
  organizationId,
  key: id
})

export const jobIdOfLane = ({ key }: Lane): JobId => JobId.make(key)

/** Running job with the checkpoint of its last step. */
export interface RunningJob {
  readonly job: Job
  readonly input: Schema.Json
  /** `null` before the first step. */
  readonly checkpoint: Schema.Json | null
  readonly permissions: ReadonlySet<Permission>
  /** Number of attempts since the last progress, including this one. */
  readonly attempts: number
}

/** Result of a step. */
export interface JobAdvance {
  readonly checkpoint: Schema.Json
  readonly progress: JobProgress
  readonly counts: JobCounts
  readonly now: DateTime.Utc
}

/** Final result of a job. */
export interface JobOutcome {
  readonly state: "succeeded" | "failed" | "cancelled"
  readonly error: string | null
  readonly errorCode: JobErrorCode | null
  readonly resultUrl: string | null
  readonly now: DateTime.Utc
}

/** Jobs of an organization, for their lane owners. Each write holds or ends the lane in its unit of work, and fails if the lease is lost. */
export class JobQueue extends Context.Service<
  JobQueue,
  TenantScoped<{
    /**
     * Starts an attempt if the job is unfinished and of one of these kinds; else `null`. The attempt is counted first, because a job that crashes
     * every process must fail in the end. A restart by the same owner is the same attempt, unless a failure of it was recorded.
     */
    readonly begin: (
      lease: LaneLease,
      kinds: ReadonlyArray<JobKindName>,
      now: DateTime.Utc
    ) => Effect.Effect<RunningJob | null, LeaseLost, Transaction>
    /** Stores the result of a step and resets the attempts. Returns whether a cancellation is requested. */
    readonly advance: (lease: LaneLease, step: JobAdvance) => Effect.Effect<boolean, LeaseLost, Transaction>
    /** Ends the job and closes its lane. */
    readonly finish: (lease: LaneLease, outcome: JobOutcome) => Effect.Effect<Job, LeaseLost, Transaction>
    /** Returns the job to the queue and undoes the attempt. The due time of its lane does not change. */
    readonly giveBack: (lease: LaneLease, now: DateTime.Utc) => Effect.Effect<void, LeaseLost, Transaction>
    /** Records a failed attempt. The lane is due at the next attempt. */
    readonly postpone: (
      lease: LaneLease,
      until: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost, Transaction>
    /** Whether the job is unfinished. */
    readonly isUnfinished: (id: JobId) => Effect.Effect<boolean>
  }>
>()("@parley/domain/platform/jobs/JobQueue") {}

/** Users watch the progress of their jobs. Jobs of programs and other jobs must not delay them. */
const priorityFor = ({ kind }: Actor): LanePriority => (kind === "user" || kind === "operator" ? "person" : "bulk")

/** Starts a job on behalf of the current actor. A use case calls it in its unit of work, and itself checks the permission and records the change. */
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
    createdBy: toActorRef(actor),
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    updatedAt: now
  })
  yield* (yield* Jobs).insert({ job, input: yield* kind.encodeInput(input), permissions: permissionsOf(actor) })
  const lane = { task: jobsTaskName, key: job.id, priority: priorityFor(actor), dueAt: now }
  yield* (yield* Lanes).open(lane)
  yield* appendEvent({ type: "job.started", jobId: job.id, kind: job.kind })
  return job
})

/** Makes a postponed job due immediately. A finished job does not change. */
export const wakeJob = Effect.fnUntraced(function* (id: JobId) {
  const isUnfinished = yield* (yield* JobQueue).isUnfinished(id)
  if (!isUnfinished) return
  yield* (yield* Lanes).open({ task: jobsTaskName, key: id, priority: "bulk", dueAt: yield* DateTime.now })
})
