import { Context, type DateTime, Effect, Schema } from "effect"
import {
  ActorRef,
  type NotFound,
  type Permission,
  shownWithSelected,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid
} from "../../kernel/index.ts"

export const JobId = Uuid.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

/** Kind of the work: the area and the work, such as `contacts.import`. Each area declares its kinds with `defineJob`. */
export const JobKindName = Schema.String.check(
  Schema.isMaxCodePoints(64, { message: "Expected at most 64 characters" }),
  Schema.isPattern(/^[a-z][a-z_]*(?:\.[a-z][a-z_]*)+$/u, { message: "Expected a kind such as contacts.import" })
)
export type JobKindName = typeof JobKindName.Type

/** State of a job. The last three are final. */
export const JobState = Schema.Literals(["queued", "running", "succeeded", "failed", "cancelled"])
export type JobState = typeof JobState.Type

/**
 * Reason why a job failed. `requester_inactive`: its requester was removed or disabled, or its token was revoked or has expired. `permission_lost`:
 * its requester no longer holds a required permission. `refused`: the work cannot continue, `error` has the reason. `internal_error`: an error of the
 * service.
 */
export const JobErrorCode = Schema.Literals(["requester_inactive", "permission_lost", "refused", "internal_error"])
export type JobErrorCode = typeof JobErrorCode.Type

/** Finished and total amount of work; `null` while unknown. */
export const JobProgress = Schema.Struct({ done: Schema.Int, total: Schema.NullOr(Schema.Int) }).annotate({
  identifier: "JobProgress"
})
export type JobProgress = typeof JobProgress.Type

/** Results so far by name: `created`, `updated`, `bad`. */
export const JobCounts = Schema.Record(Schema.String, Schema.Int)
export type JobCounts = typeof JobCounts.Type

/** Background work that takes longer than a request and reports its progress. */
export class Job extends Schema.Class<Job>("Job")({
  id: JobId,
  kind: JobKindName,
  state: JobState,
  progress: JobProgress,
  counts: JobCounts.annotateKey({
    description: "Results so far by name. Those of `contacts.import` are empty without `contacts.read`."
  }).pipe(
    // The counts of an import tell which of its rows are stored contacts.
    shownWithSelected(["contacts.read"], ({ kind }) => (kind === "contacts.import" ? ["contacts.read"] : []))
  ),
  /** Sentence for users about the failure. */
  error: Schema.NullOr(Schema.String),
  errorCode: Schema.NullOr(JobErrorCode).annotateKey({
    description:
      "Reason of the failure. `requester_inactive`: its requester was removed or disabled, or its token was revoked or has expired. `permission_lost`: its requester no longer has a required permission. `refused`: see `error`. `internal_error`: the service failed. Null if it did not fail."
  }),
  /** Path of the result, if there is one. */
  resultUrl: Schema.NullOr(Schema.String),
  /** A cancellation is requested. The job stops before its next step. */
  cancelRequested: Schema.Boolean,
  createdBy: ActorRef,
  createdAt: Timestamp,
  startedAt: Schema.NullOr(Timestamp),
  finishedAt: Schema.NullOr(Timestamp),
  updatedAt: Timestamp
}) {}

/** Job to enqueue, with its input and the permissions of the requester. */
export interface NewJob {
  readonly job: Job
  readonly input: Schema.Json
  readonly permissions: ReadonlySet<Permission>
}

/** Job filter; `null` matches all. */
export interface JobFilter {
  readonly state: JobState | null
  readonly kind: JobKindName | null
}

/** Job with a requested cancellation, and whether this request changed it. */
export interface CancelResult {
  readonly job: Job
  readonly changed: boolean
}

export class Jobs extends Context.Service<
  Jobs,
  TenantScoped<{
    readonly get: (id: JobId) => Effect.Effect<Job, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (filter: JobFilter, slice: Slice) => Effect.Effect<ReadonlyArray<Job>>
    readonly insert: (job: NewJob) => Effect.Effect<void, never, Transaction>
    /** Cancels a queued job immediately, requests cancellation of a running one, and leaves a finished one unchanged. */
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
