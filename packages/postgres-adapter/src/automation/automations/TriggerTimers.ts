import { PgTypes } from "@effect/sql-pg"
import { type TriggerTimer, TriggerTimers } from "@parley/domain/automation"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Pick<TriggerTimer, "kind" | "ownerId" | "subjectId"> {
  readonly position: bigint
  readonly since: Instant
  readonly dueAt: Instant
}

const clockOf = ({ dueAt, position, since, ...row }: Row): TriggerTimer => ({
  ...row,
  position: Number(position),
  since: utc(since),
  dueAt: utc(dueAt)
})

const rowOf = ({ dueAt, since, ...clock }: TriggerTimer) => ({
  ...clock,
  since: DateTime.formatIso(since),
  dueAt: DateTime.formatIso(dueAt)
})

const nameOf = ({ ownerId, subjectId }: Pick<TriggerTimer, "ownerId" | "subjectId">) => `${ownerId} ${subjectId}`

export const layer = Layer.effect(
  TriggerTimers,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(TriggerTimers, {
      set: Effect.fnUntraced(function* (organization, clocks) {
        if (clocks.length === 0) return
        yield* sql`
          INSERT INTO trigger_timers AS t (organization_id, kind, owner_id, subject_id, position, since, due_at)
          SELECT ${organization.id}::uuid, r.kind, r."ownerId", r."subjectId", r.position, r.since, r."dueAt"
          FROM json_to_recordset(${PgTypes.json(clocks.map(rowOf))}) AS r (kind text, "ownerId" uuid,
            "subjectId" uuid, position bigint, since timestamptz, "dueAt" timestamptz)
          ORDER BY r."ownerId", r."subjectId"
          ON CONFLICT (organization_id, owner_id, subject_id) DO UPDATE SET position = excluded.position,
            since = excluded.since, due_at = excluded.due_at
          WHERE t.organization_id = ${organization.id} AND t.due_at IS NOT NULL`
      }),
      stop: Effect.fnUntraced(function* (organization, subjectId, ownerIds) {
        if (ownerIds.length === 0) return
        yield* sql`
          DELETE FROM trigger_timers
          WHERE organization_id = ${organization.id} AND owner_id = ANY(${Array.from(ownerIds)}::uuid[])
            AND subject_id = ${subjectId} AND due_at IS NOT NULL`
      }),
      due: Effect.fnUntraced(function* (organization, kind, now, limit) {
        const rows = yield* sql<Row>`
          SELECT kind, owner_id AS "ownerId", subject_id AS "subjectId", position, since, due_at AS "dueAt"
          FROM trigger_timers
          WHERE organization_id = ${organization.id} AND kind = ${kind} AND due_at <= ${stamp(now)}
          ORDER BY due_at, owner_id, subject_id LIMIT ${limit}`
        return rows.map(clockOf)
      }),
      nextDue: Effect.fnUntraced(function* (organization, kind) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT min(due_at) AS at FROM trigger_timers
          WHERE organization_id = ${organization.id} AND kind = ${kind} AND due_at IS NOT NULL`
        return utcOrNull(row?.at ?? null)
      }),
      strike: Effect.fnUntraced(function* (organization, clocks, forGood) {
        if (clocks.length === 0) return []
        // Skips clocks that a concurrent transaction sets, because they differ from the read state.
        const asked = sql`WITH asked AS MATERIALIZED (
          SELECT o.owner_id, o.subject_id FROM trigger_timers AS o
          JOIN json_to_recordset(${PgTypes.json(clocks.map(rowOf))}) AS r ("ownerId" uuid, "subjectId" uuid, position bigint,
            "dueAt" timestamptz) ON o.owner_id = r."ownerId" AND o.subject_id = r."subjectId"
          WHERE o.organization_id = ${organization.id} AND o.position = r.position AND o.due_at = r."dueAt"
          FOR UPDATE OF o SKIP LOCKED
        )`
        const these = sql`asked AS a
          WHERE t.organization_id = ${organization.id} AND t.owner_id = a.owner_id AND t.subject_id = a.subject_id
          RETURNING t.owner_id AS "ownerId", t.subject_id AS "subjectId"`
        const rows = yield* forGood
          ? sql<Row>`${asked} UPDATE trigger_timers AS t SET due_at = NULL FROM ${these}`
          : sql<Row>`${asked} DELETE FROM trigger_timers AS t USING ${these}`
        const struck = new Set(rows.map(nameOf))
        return clocks.filter((clock) => struck.has(nameOf(clock)))
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          DELETE FROM trigger_timers AS t WHERE t.organization_id = ${organization.id}
            AND (t.owner_id, t.subject_id) IN (
              SELECT o.owner_id, o.subject_id FROM trigger_timers AS o
              WHERE o.organization_id = ${organization.id} AND o.due_at IS NULL AND o.since < ${stamp(before)}
              ORDER BY o.since LIMIT ${limit})
          RETURNING 1`
        return swept.length
      })
    })
  )
)
