import { type ActionEffect, ActionEffects } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  ActionEffects,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(ActionEffects, {
      find: Effect.fnUntraced(function* (organization, { runId, step, visit }) {
        const [row] = yield* sql<ActionEffect>`
          SELECT kind, effect_id AS id FROM action_effects
          WHERE organization_id = ${organization.id} AND run_id = ${runId} AND step = ${step} AND visit = ${visit}`
        return row ?? null
      }),
      add: Effect.fnUntraced(function* (organization, { runId, step, visit }, { id, kind }, at) {
        const rows = yield* sql`
          INSERT INTO action_effects (organization_id, run_id, step, visit, kind, effect_id, at)
          VALUES (${organization.id}, ${runId}, ${step}, ${visit}, ${kind}, ${id}, ${stamp(at)})
          ON CONFLICT (organization_id, run_id, step, visit) DO NOTHING RETURNING 1 AS one`
        return rows.length > 0
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const rows = yield* sql`
          WITH old AS (
            SELECT run_id, step, visit FROM action_effects
            WHERE organization_id = ${organization.id} AND at < ${stamp(before)}
            ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM action_effects AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.run_id = old.run_id AND t.step = old.step
            AND t.visit = old.visit RETURNING 1 AS one`
        return rows.length
      }),
      forget: Effect.fnUntraced(function* (organization, contactIds) {
        yield* sql`
          WITH about AS MATERIALIZED (
            SELECT run_id, step, visit FROM action_effects
            WHERE organization_id = ${organization.id} AND kind = 'contact' AND effect_id = ANY(${Array.from(contactIds)})
            ORDER BY run_id, step, visit FOR UPDATE
          )
          DELETE FROM action_effects AS t USING about
          WHERE t.organization_id = ${organization.id} AND t.run_id = about.run_id AND t.step = about.step
            AND t.visit = about.visit`
      })
    })
  )
)
