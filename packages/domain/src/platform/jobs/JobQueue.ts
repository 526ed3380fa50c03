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

/** What jobs are called among the works. */
export const jobsTaskName: TaskName = "jobs"

/** Each job has a lane: one process at a time works at it. */
export const jobLane = (organizationId: OrganizationId, id: JobId): Lane => ({
  work: jobsTaskName,
  organizationId,
  key: id
})

/** The job that a lane is of. */
export const jobIdOfLane = ({ key }: Lane): JobId => JobId.make(key)

/** A job that runs, from where its last step left it. */
export interface RunningJob {
  readonly job: Job
  readonly input: Schema.Json
  /** `null` before the first step. */
  readonly checkpoint: Schema.Json | null
  readonly permissions: ReadonlySet<Permission>
  /** How often it was begun since it last got on, this time included. */
  readonly attempts: number
}

/** What a step has come to. */
export interface JobAdvance {
  readonly checkpoint: Schema.Json
  readonly progress: JobProgress
  readonly counts: JobCounts
  readonly now: DateTime.Utc
}

/** How a job ends. */
export interface JobOutcome {
  readonly state: "succeeded" | "failed" | "cancelled"
  readonly error: string | null
  readonly errorCode: JobErrorCode | null
  readonly resultUrl: string | null
  readonly now: DateTime.Utc
}

/**
 * The jobs of an organization, for whoever owns their lanes. Each write holds the lane, or ends it, in its unit of work: once
 * the lease is lost it is refused.
 */
export class JobQueue extends Context.Service<
  JobQueue,
  TenantScoped<{
    /**
     * The job runs from now on, if there is anything left to do and it is of one of these kinds; else `null`. It counts as an
     * attempt before anything is done, so that a job that kills each process is given up in the end; begun once more by the
     * same owner, it is the same attempt, unless that was said to have failed.
     */
    readonly begin: (
      lease: LaneLease,
      kinds: ReadonlyArray<JobKindName>,
      now: DateTime.Utc
    ) => Effect.Effect<RunningJob | null, LeaseLost, Transaction>
    /** Stores what a step has come to, and forgets earlier attempts; says whether somebody wants the job stopped. */
    readonly advance: (lease: LaneLease, step: JobAdvance) => Effect.Effect<boolean, LeaseLost, Transaction>
    /** The job is over, and its lane closed. */
    readonly finish: (lease: LaneLease, outcome: JobOutcome) => Effect.Effect<Job, LeaseLost, Transaction>
    /** The job waits for whoever begins it next, as if it had not been begun; its lane is due as before. */
    readonly giveBack: (lease: LaneLease, now: DateTime.Utc) => Effect.Effect<void, LeaseLost, Transaction>
    /** The attempt has failed: the job waits for another one, and its lane is due then. */
    readonly postpone: (
      lease: LaneLease,
      until: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost, Transaction>
    /** Whether there is anything left to do. */
    readonly isUnfinished: (id: JobId) => Effect.Effect<boolean>
  }>
>()("@parley/domain/platform/jobs/JobQueue") {}

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
    createdBy: toActorRef(actor),
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    updatedAt: now
  })
  yield* (yield* Jobs).insert({ job, input: yield* kind.encodeInput(input), permissions: permissionsOf(actor) })
  const lane = { work: jobsTaskName, key: job.id, priority: priorityFor(actor), dueAt: now }
  yield* (yield* Lanes).open(lane)
  yield* appendEvent({ type: "job.started", jobId: job.id, kind: job.kind })
  return job
})
