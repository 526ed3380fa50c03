import { type AutomationClock, AutomationClocks } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Pick<AutomationClock, "after" | "automationId"> {
  readonly dueAt: Instant
}

const clockOf = (row: Row | undefined): AutomationClock | null =>
  row === undefined ? null : { ...row, dueAt: utc(row.dueAt) }

export const layer = Layer.effect(
  AutomationClocks,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`automation_id AS "automationId", due_at AS "dueAt", after_contact_id AS after`)
    return tenantPort(AutomationClocks, {
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM automation_clocks
          WHERE organization_id = ${organization.id} AND automation_id = ${id}`
        return clockOf(row)
      }),
      due: Effect.fnUntraced(function* (organization, now) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM automation_clocks
          WHERE organization_id = ${organization.id} AND due_at <= ${stamp(now)}
          ORDER BY due_at, automation_id LIMIT 1`
        return clockOf(row)
      }),
      nextDue: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT min(due_at) AS at FROM automation_clocks WHERE organization_id = ${organization.id}`
        return utcOrNull(row?.at ?? null)
      }),
      set: Effect.fnUntraced(function* (organization, { after, automationId, dueAt }) {
        yield* sql`
          INSERT INTO automation_clocks (organization_id, automation_id, due_at, after_contact_id)
          VALUES (${organization.id}, ${automationId}, ${stamp(dueAt)}, ${after})
          ON CONFLICT (organization_id, automation_id) DO UPDATE SET due_at = EXCLUDED.due_at,
            after_contact_id = EXCLUDED.after_contact_id`
      }),
      advance: Effect.fnUntraced(function* (organization, from, { after, dueAt }) {
        const rows = yield* sql`
          UPDATE automation_clocks SET due_at = ${stamp(dueAt)}, after_contact_id = ${after}
          WHERE organization_id = ${organization.id} AND automation_id = ${from.automationId}
            AND due_at = ${stamp(from.dueAt)} AND after_contact_id IS NOT DISTINCT FROM ${from.after}::uuid
          RETURNING 1 AS one`
        return rows.length > 0
      }),
      remove: Effect.fnUntraced(function* (organization, id) {
        yield* sql`
          DELETE FROM automation_clocks WHERE organization_id = ${organization.id} AND automation_id = ${id}`
      })
    })
  })
)
