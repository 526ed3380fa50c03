import { type Permission, transact } from "@parley/domain/kernel"
import {
  AuditLog,
  defineJob,
  EventLog,
  type JobFailed,
  type JobKindName,
  layerJobKindsOf,
  type Organization,
  recordAudit,
  runDueJobs,
  startJob
} from "@parley/domain/platform"
import { eventPermissions } from "@parley/domain/composition"
import { asOperatorOf, asRoleIn } from "@parley/testkit"
import { Effect, Schema } from "effect"

/** Hook in the step of a row: before its writes, or between them and the commit. */
export interface Happenings {
  readonly before?: (row: number) => Effect.Effect<void, JobFailed>
  readonly after?: (row: number) => Effect.Effect<void, JobFailed>
  readonly name?: JobKindName
  readonly needs?: ReadonlyArray<Permission> | null
}

const nothing = () => Effect.void

/** A job that writes one row in each step, as an audit event, and where something may happen to a row. */
export const countingJob = ({
  after = nothing,
  before = nothing,
  name = "test.count",
  needs = null
}: Happenings = {}) =>
  defineJob({
    name,
    needs,
    input: Schema.Struct({ rows: Schema.Int }),
    checkpoint: Schema.Struct({ row: Schema.Int }),
    step: Effect.fnUntraced(function* ({ rows }, checkpoint) {
      const row = (checkpoint?.row ?? 0) + 1
      yield* before(row)
      yield* recordAudit("test.row_written", { kind: "row", id: String(row) })
      yield* after(row)
      return {
        checkpoint: { row },
        done: row === rows,
        progress: { done: row, total: rows },
        counts: { written: row },
        ...(row === rows ? { resultUrl: "/api/v1/rows" } : {})
      }
    })
  })

type CountingJob = ReturnType<typeof countingJob>

/** Requests it as the organization's agent. */
export const ask = (organization: Organization, kind: CountingJob = countingJob(), rows = 4) =>
  transact(startJob(kind, { rows }, { total: rows })).pipe(asRoleIn(organization, "agent"))

/** A node that works until there is nothing to do. */
export const work = (kind: CountingJob = countingJob()) => Effect.provide(runDueJobs, layerJobKindsOf([kind]))

const all = { limit: 1000, after: null }

/** Written rows, oldest first, with their writers. */
export const rowsOf = (organization: Organization) =>
  Effect.flatMap(AuditLog, (log) =>
    log.list(
      { actorId: null, targetKind: "row", targetId: null, action: "test.row_written", from: null, to: null },
      all
    )
  ).pipe(
    asOperatorOf(organization),
    Effect.map((events) => events.toReversed().map(({ actor, target }) => ({ row: Number(target.id), actor })))
  )

/** The events of jobs with their organizations, oldest first. */
export const jobEventsOf = (organization: Organization) =>
  Effect.flatMap(EventLog, (log) =>
    log.list(
      Object.keys(eventPermissions).filter((type) => type.startsWith("job.")),
      all
    )
  ).pipe(
    asOperatorOf(organization),
    Effect.map((events) => events.map(({ actor, event }) => ({ actor, event })))
  )
