import { PgTypes } from "@effect/sql-pg"
import { type TriggerCall, TriggerCalls } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<TriggerCall, "at"> {
  readonly at: Instant
}

export const layer = Layer.effect(
  TriggerCalls,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(TriggerCalls, {
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT id, automation_id AS "automationId", contact_id AS "contactId", data, at FROM automation_trigger_calls
          WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? null : { ...row, at: utc(row.at) }
      }),
      add: Effect.fnUntraced(function* (organization, { at, automationId, contactId, data, id }) {
        const rows = yield* sql`
          INSERT INTO automation_trigger_calls (organization_id, id, automation_id, contact_id, data, at)
          VALUES (${organization.id}, ${id}, ${automationId}, ${contactId}, ${PgTypes.json(data)}, ${stamp(at)})
          ON CONFLICT (organization_id, id) DO NOTHING RETURNING 1 AS one`
        return rows.length > 0
      }),
      forget: Effect.fnUntraced(function* (organization, contactIds) {
        yield* sql`
          DELETE FROM automation_trigger_calls
          WHERE organization_id = ${organization.id} AND contact_id = ANY(${[...contactIds]}::uuid[])`
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const rows = yield* sql`
          WITH old AS (
            SELECT id FROM automation_trigger_calls
            WHERE organization_id = ${organization.id} AND at < ${stamp(before)}
            ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM automation_trigger_calls AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.id = old.id RETURNING 1 AS one`
        return rows.length
      })
    })
  )
)
