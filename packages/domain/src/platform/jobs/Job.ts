import { Context, type DateTime, Effect, Schema } from "effect"
import {
  ActorRef,
  type NotFound,
  type Permission,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid
} from "../../kernel/index.ts"

export const JobId = Uuid.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

/** What sort of work it is: the area and the work, such as `contacts.import`. Each area declares its own with `defineJob`. */
export const JobKindName = Schema.String.check(
  Schema.isMaxCodePoints(64, { message: "Expected at most 64 characters" }),
  Schema.isPattern(/^[a-z][a-z_]*(?:\.[a-z][a-z_]*)+$/u, { message: "Expected a kind such as contacts.import" })
)
export type JobKindName = typeof JobKindName.Type

/** Where a job stands. The last three are final. */
export const JobState = Schema.Literals(["queued", "running", "succeeded", "failed", "cancelled"])
export type JobState = typeof JobState.Type

/**
 * Reason why a job failed. `requester_inactive`: its requester was removed or disabled, or its token was revoked or has expired. `permission_lost`:
 * its requester no longer holds a required permission. `refused`: the work cannot continue, `error` has the reason. `internal_error`: an error of the
 * service.
 */
export const JobErrorCode = Schema.Literals(["requester_inactive", "permission_lost", "refused", "internal_error"])
export type JobErrorCode = typeof JobErrorCode.Type

/** How much is done, of how much; `null` as long as nobody knows. */
export const JobProgress = Schema.Struct({ done: Schema.Int, total: Schema.NullOr(Schema.Int) }).annotate({
  identifier: "JobProgress"
})
export type JobProgress = typeof JobProgress.Type

/** What came of it so far, by name: `created`, `updated`, `bad`. */
export const JobCounts = Schema.Record(Schema.String, Schema.Int)
export type JobCounts = typeof JobCounts.Type

/** Work that takes longer than a request: it goes on in the background, and tells how far it is. */
export class Job extends Schema.Class<Job>("Job")({
  id: JobId,
  kind: JobKindName,
  state: JobState,
  progress: JobProgress,
  counts: JobCounts,
  /** A sentence for people, when it failed. */
  error: Schema.NullOr(Schema.String),
  errorCode: Schema.NullOr(JobErrorCode).annotateKey({
    description:
      "Reason of the failure. `requester_inactive`: its requester was removed or disabled, or its token was revoked or has expired. `permission_lost`: its requester no longer holds a permission that the work needs. `refused`: see `error`. `internal_error`: the service failed. Null if it did not fail."
  }),
  /** The path of what came out of it, when there is something to fetch. */
  resultUrl: Schema.NullOr(Schema.String),
  /** Somebody wants it to stop; it does so before its next step. */
  cancelRequested: Schema.Boolean,
  createdBy: ActorRef,
  createdAt: Timestamp,
  startedAt: Schema.NullOr(Timestamp),
  finishedAt: Schema.NullOr(Timestamp),
  updatedAt: Timestamp
}) {}

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
export interface CancelResult {
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
    readonly requestCancel: (id: JobId, now: DateTime.Utc) => Effect.Effect<CancelResult, NotFound, Transaction>
  }>
>()("@parley/domain/platform/jobs/Jobs") {}

/** A step cannot continue. `reason` is a sentence for users. The job fails and is not retried. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", {
  reason: Schema.String,
  code: JobErrorCode.pipe(Schema.withConstructorDefault(Effect.succeed<JobErrorCode>("refused")))
}) {
  override get message() {
    return this.reason
  }
}
