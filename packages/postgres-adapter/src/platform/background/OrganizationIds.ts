import type { OrganizationId } from "@parley/domain/kernel"
import { OrganizationIds } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storagePort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  OrganizationIds,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(OrganizationIds, {
      after: Effect.fnUntraced(function* (id, limit) {
        const rows = yield* sql<{ readonly id: OrganizationId }>`
          SELECT id FROM organizations ${id === null ? sql`` : sql`WHERE id > ${id}`} ORDER BY id LIMIT ${limit}`
        return rows.map((row) => row.id)
      })
    })
  )
)
