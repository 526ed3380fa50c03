import { type LifecycleCall, LifecycleCalls } from "@parley/domain/integrations"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<LifecycleCall, "dueAt"> {
  readonly dueAt: Instant
}

export const layer = Layer.effect(
  LifecycleCalls,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(LifecycleCalls, {
      add: Effect.fnUntraced(function* (
        organization,
        { dueAt, farewell, hasSecret, id, pluginId, tokenId, tries, type }
      ) {
        yield* sql`
          INSERT INTO plugin_lifecycle_calls (organization_id, id, plugin_id, type, token_id, has_secret, farewell, attempts,
            due_at)
          VALUES (${organization.id}, ${id}, ${pluginId}, ${type}, ${tokenId}, ${hasSecret}, ${farewell}, ${tries},
            ${stamp(dueAt)})`
      }),
      next: Effect.fnUntraced(function* (organization, pluginId) {
        const [row] = yield* sql<Row>`
          SELECT id, plugin_id AS "pluginId", type, token_id AS "tokenId", has_secret AS "hasSecret", farewell, attempts AS tries,
            due_at AS "dueAt"
          FROM plugin_lifecycle_calls WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId}
          ORDER BY id LIMIT 1`
        return row === undefined ? null : { ...row, dueAt: utc(row.dueAt) }
      }),
      retry: Effect.fnUntraced(function* (organization, id, tries, dueAt) {
        yield* sql`
          UPDATE plugin_lifecycle_calls SET attempts = ${tries}, due_at = ${stamp(dueAt)}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      drop: Effect.fnUntraced(function* (organization, id) {
        yield* sql`DELETE FROM plugin_lifecycle_calls WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      dropAll: Effect.fnUntraced(function* (organization, pluginId) {
        yield* sql`
          DELETE FROM plugin_lifecycle_calls WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId}`
      })
    })
  )
)
