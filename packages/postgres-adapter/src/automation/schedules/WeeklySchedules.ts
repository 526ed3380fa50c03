import { type Holiday, type ScheduleId, WeeklySchedule, WeeklySchedules, type Week } from "@parley/domain/automation"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { versions } from "../../crm/versions.ts"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly id: ScheduleId
  readonly name: string
  readonly timezone: string | null
  readonly weekly: Week
  readonly holidays: ReadonlyArray<Holiday>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const scheduleOf = (row: Row) =>
  new WeeklySchedule({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

export const layer = Layer.effect(
  WeeklySchedules,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      `id, name, timezone, weekly, holidays, created_at AS "createdAt", updated_at AS "updatedAt", version`
    )
    const { conflict, ifVersion, notFound } = versions(sql, "schedules", "schedule")

    return tenantPort(WeeklySchedules, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM schedules WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : scheduleOf(row)
      }),
      find: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM schedules
          WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])`
        return rows.map(scheduleOf)
      }),
      list: Effect.fnUntraced(function* (organization, { after, limit }) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM schedules
          WHERE organization_id = ${organization.id} ${after === null ? sql`` : sql`AND id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(scheduleOf)
      }),
      insert: Effect.fnUntraced(function* (
        organization,
        { createdAt, holidays, id, name, timezone, updatedAt, version, weekly }
      ) {
        yield* sql`
          INSERT INTO schedules
            (organization_id, id, name, timezone, weekly, holidays, created_at, updated_at, version)
          VALUES
            (${organization.id}, ${id}, ${name}, ${timezone}, ${PgTypes.json(weekly)}, ${PgTypes.json(holidays)},
              ${stamp(createdAt)}, ${stamp(updatedAt)}, ${version})`
      }),
      save: Effect.fnUntraced(function* (organization, { holidays, id, name, timezone, updatedAt, weekly }, expected) {
        const [row] = yield* sql<Row>`
          UPDATE schedules
          SET name = ${name}, timezone = ${timezone}, weekly = ${PgTypes.json(weekly)},
            holidays = ${PgTypes.json(holidays)}, updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, id) : scheduleOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM schedules WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
