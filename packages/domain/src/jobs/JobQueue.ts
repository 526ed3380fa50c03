import { Context, type DateTime, type Effect, type Schema } from "effect"
import type { OrganizationId, Permission, Transaction } from "../kernel/index.ts"
import type { LeaseLost } from "../work/index.ts"
import type { Job, JobCounts, JobId, JobKindName, JobProgress } from "./Job.ts"

/** The right to work on a job until someone else claims it. Each claim brings a runner id of its own, which fences off the last. */
export interface Lease {
  readonly organizationId: OrganizationId
  readonly jobId: JobId
  readonly runner: string
}

/** Who claims what, and until when the claim holds unless it is renewed. */
export interface Claim {
  readonly runner: string
  /** The kinds that the runner knows how to do. */
  readonly kinds: ReadonlyArray<JobKindName>
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** A job in the hands of a runner, from where its last step left it. */
export interface ClaimedJob {
  readonly lease: Lease
  readonly job: Job
  readonly input: Schema.Json
  /** `null` before the first step. */
  readonly checkpoint: Schema.Json | null
  readonly permissions: ReadonlySet<Permission>
  /** How often it was claimed since it last got on, this claim included. */
  readonly attempts: number
}

/** What a step has come to. */
export interface Advance {
  readonly checkpoint: Schema.Json
  readonly progress: JobProgress
  readonly counts: JobCounts
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** How a job ends. */
export interface Outcome {
  readonly state: "succeeded" | "failed" | "cancelled"
  readonly error: string | null
  readonly resultUrl: string | null
  readonly now: DateTime.Utc
}

/** The jobs of all organizations, for those who do them. Whatever a lease writes is refused once the lease is lost. */
export class JobQueue extends Context.Service<
  JobQueue,
  {
    /**
     * Takes a job that waits, or whose runner has let its lease run out; of many at once, one gets it. The oldest first, but
     * an organization that nobody works for comes before one that somebody does. `null` when there is nothing to do.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ClaimedJob | null>
    readonly renew: (lease: Lease, until: DateTime.Utc) => Effect.Effect<void, LeaseLost>
    /** Stores what a step has come to, forgets earlier attempts and renews; says whether somebody wants the job stopped. */
    readonly advance: (lease: Lease, step: Advance) => Effect.Effect<boolean, LeaseLost, Transaction>
    readonly finish: (lease: Lease, outcome: Outcome) => Effect.Effect<Job, LeaseLost, Transaction>
    /** Gives the job back to whoever claims it next, as if it had not been claimed. */
    readonly handBack: (lease: Lease, now: DateTime.Utc) => Effect.Effect<void, LeaseLost>
    /** Gives the job back for a later attempt: nobody can claim it before that. */
    readonly postpone: (lease: Lease, until: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<void, LeaseLost>
  }
>()("@parley/domain/jobs/JobQueue") {}
