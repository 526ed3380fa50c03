import { type ExpiringHold, WorkflowHolds } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  WorkflowHolds,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(WorkflowHolds, {
      all: Effect.fnUntraced(function* (organization) {
        const rows = yield* sql<{ readonly reason: ExpiringHold; readonly since: Instant }>`
          SELECT reason, since FROM workflow_holds WHERE organization_id = ${organization.id} ORDER BY since, reason`
        return rows.map(({ reason, since }) => ({ reason, since: utc(since) }))
      }),
      begin: Effect.fnUntraced(function* (organization, { reason, since }) {
        yield* sql`
          INSERT INTO workflow_holds (organization_id, reason, since)
          VALUES (${organization.id}, ${reason}, ${stamp(since)}) ON CONFLICT DO NOTHING`
      }),
      end: Effect.fnUntraced(function* (organization, reason) {
        yield* sql`DELETE FROM workflow_holds WHERE organization_id = ${organization.id} AND reason = ${reason}`
      })
    })
  )
)
