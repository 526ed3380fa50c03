import type { ActorRef } from "@parley/domain/kernel"
import { Job, type JobErrorCode, type JobId, type JobKindName, type JobState } from "@parley/domain/platform"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

/** Columns of a job. */
export const jobColumns = `id, kind, state, progress_done AS "progressDone", progress_total AS "progressTotal", counts,
  error, error_code AS "errorCode", result_url AS "resultUrl", cancel_requested AS "cancelRequested", creator_kind AS "creatorKind",
  creator_id AS "creatorId", created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt",
  updated_at AS "updatedAt"`

export interface JobRow {
  readonly id: JobId
  readonly kind: JobKindName
  readonly state: JobState
  readonly progressDone: number
  readonly progressTotal: number | null
  readonly counts: Readonly<Record<string, number>>
  readonly error: string | null
  readonly errorCode: JobErrorCode | null
  readonly resultUrl: string | null
  readonly cancelRequested: boolean
  readonly creatorKind: ActorRef["kind"]
  readonly creatorId: string
  readonly createdAt: Instant
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
  readonly updatedAt: Instant
}

export const jobOf = (row: JobRow): Job =>
  new Job(
    {
      id: row.id,
      kind: row.kind,
      state: row.state,
      progress: { done: row.progressDone, total: row.progressTotal },
      counts: row.counts,
      error: row.error,
      errorCode: row.errorCode,
      resultUrl: row.resultUrl,
      cancelRequested: row.cancelRequested,
      createdBy: { kind: row.creatorKind, id: row.creatorId },
      createdAt: utc(row.createdAt),
      startedAt: utcOrNull(row.startedAt),
      finishedAt: utcOrNull(row.finishedAt),
      updatedAt: utc(row.updatedAt)
    },
    asWritten
  )
