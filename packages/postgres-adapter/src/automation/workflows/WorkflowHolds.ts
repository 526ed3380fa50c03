import { CurrentOrganization, type ExpiringHold, WorkflowHolds } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"

export const layer = Layer.effect(
  WorkflowHolds,
  Effect.map(SqlClient.SqlClient, (sql) =>
    WorkflowHolds.of({
      all: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const rows = yield* sql<{ readonly reason: ExpiringHold; readonly since: Instant }>`
          SELECT reason, since FROM workflow_holds WHERE organization_id = ${organization.id} ORDER BY since, reason`
        return rows.map(({ reason, since }) => ({ reason, since: utc(since) }))
      }, driverFailuresDie),
      begin: Effect.fnUntraced(function* ({ reason, since }) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO workflow_holds (organization_id, reason, since)
          VALUES (${organization.id}, ${reason}, ${stamp(since)}) ON CONFLICT DO NOTHING`
      }, driverFailuresDie),
      end: Effect.fnUntraced(function* (reason) {
        const organization = yield* CurrentOrganization
        yield* sql`DELETE FROM workflow_holds WHERE organization_id = ${organization.id} AND reason = ${reason}`
      }, driverFailuresDie)
    })
  )
)
