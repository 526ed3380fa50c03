import { type OrganizationId, OrganizationIds } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../../kernel/defects.ts"

export const layer = Layer.effect(
  OrganizationIds,
  Effect.map(SqlClient.SqlClient, (sql) =>
    OrganizationIds.of({
      after: Effect.fnUntraced(function* (id, limit) {
        const rows = yield* sql<{ readonly id: OrganizationId }>`
          SELECT id FROM organizations ${id === null ? sql`` : sql`WHERE id > ${id}`} ORDER BY id LIMIT ${limit}`
        return rows.map((row) => row.id)
      }, driverFailuresDie)
    })
  )
)
