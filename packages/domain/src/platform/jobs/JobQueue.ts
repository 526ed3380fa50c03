import { Context, type DateTime, type Effect, type Schema } from "effect"
import type { OrganizationId, Permission, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { Lane, LaneLease, LeaseLost, WorkName } from "../background/index.ts"
import { type Job, JobId, type JobCounts, type JobErrorCode, type JobKindName, type JobProgress } from "./Job.ts"

/** What jobs are called among the works. */
export const jobsWork: WorkName = "jobs"

/** Each job has a lane: one process at a time works at it. */
export const jobLane = (organizationId: OrganizationId, id: JobId): Lane => ({
  work: jobsWork,
  organizationId,
  key: id
})

/** The job that a lane is of. */
export const jobOfLane = ({ key }: Lane): JobId => JobId.make(key)

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
export interface Advance {
  readonly checkpoint: Schema.Json
  readonly progress: JobProgress
  readonly counts: JobCounts
  readonly now: DateTime.Utc
}

/** How a job ends. */
export interface Outcome {
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
    readonly advance: (lease: LaneLease, step: Advance) => Effect.Effect<boolean, LeaseLost, Transaction>
    /** The job is over, and its lane closed. */
    readonly finish: (lease: LaneLease, outcome: Outcome) => Effect.Effect<Job, LeaseLost, Transaction>
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
