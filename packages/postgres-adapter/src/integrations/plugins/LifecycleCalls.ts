import { CurrentOrganization, type LifecycleCall, LifecycleCalls } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"

interface Row extends Omit<LifecycleCall, "dueAt"> {
  readonly dueAt: Instant
}

export const layer = Layer.effect(
  LifecycleCalls,
  Effect.map(SqlClient.SqlClient, (sql) =>
    LifecycleCalls.of({
      add: Effect.fnUntraced(function* ({ dueAt, farewell, hasSecret, id, pluginId, tokenId, tries, type }) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO plugin_lifecycle_calls (organization_id, id, plugin_id, type, token_id, has_secret, farewell, attempts,
            due_at)
          VALUES (${organization.id}, ${id}, ${pluginId}, ${type}, ${tokenId}, ${hasSecret}, ${farewell}, ${tries},
            ${stamp(dueAt)})`
      }, driverFailuresDie),
      next: Effect.fnUntraced(function* (pluginId) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Row>`
          SELECT id, plugin_id AS "pluginId", type, token_id AS "tokenId", has_secret AS "hasSecret", farewell, attempts AS tries,
            due_at AS "dueAt"
          FROM plugin_lifecycle_calls WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId}
          ORDER BY id LIMIT 1`
        return row === undefined ? null : { ...row, dueAt: utc(row.dueAt) }
      }, driverFailuresDie),
      retry: Effect.fnUntraced(function* (id, tries, dueAt) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE plugin_lifecycle_calls SET attempts = ${tries}, due_at = ${stamp(dueAt)}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }, driverFailuresDie),
      drop: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        yield* sql`DELETE FROM plugin_lifecycle_calls WHERE organization_id = ${organization.id} AND id = ${id}`
      }, driverFailuresDie),
      dropAll: Effect.fnUntraced(function* (pluginId) {
        const organization = yield* CurrentOrganization
        yield* sql`
          DELETE FROM plugin_lifecycle_calls WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId}`
      }, driverFailuresDie)
    })
  )
)
