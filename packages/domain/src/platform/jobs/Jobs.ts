import { Context, type DateTime, type Effect, type Schema } from "effect"
import type { NotFound, Permission, Slice, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { Job, JobId, JobKindName, JobState } from "./Job.ts"

/** A job as it is put into the queue: with what it works on, and what whoever asked for it may do. */
export interface NewJob {
  readonly job: Job
  readonly input: Schema.Json
  readonly permissions: ReadonlySet<Permission>
}

/** Which jobs to list; `null` means any. */
export interface JobFilter {
  readonly state: JobState | null
  readonly kind: JobKindName | null
}

/** A job that somebody wants stopped, and whether that is news. */
export interface CancelAnswer {
  readonly job: Job
  readonly changed: boolean
}

/** The jobs of the organization. */
export class Jobs extends Context.Service<
  Jobs,
  TenantScoped<{
    readonly get: (id: JobId) => Effect.Effect<Job, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (filter: JobFilter, slice: Slice) => Effect.Effect<ReadonlyArray<Job>>
    readonly insert: (job: NewJob) => Effect.Effect<void, never, Transaction>
    /** A queued job is cancelled at once, a running one is asked to stop, a finished one stays as it is. */
    readonly requestCancel: (id: JobId, now: DateTime.Utc) => Effect.Effect<CancelAnswer, NotFound, Transaction>
  }>
>()("@parley/domain/platform/jobs/Jobs") {}
