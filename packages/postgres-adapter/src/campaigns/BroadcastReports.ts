import { BroadcastReport, BroadcastReports, CurrentOrganization } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"

const encode = Schema.encodeSync(BroadcastReport)
const decode = Schema.decodeSync(BroadcastReport)

export const layer = Layer.effect(
  BroadcastReports,
  Effect.map(SqlClient.SqlClient, (sql) =>
    BroadcastReports.of({
      find: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly report: typeof BroadcastReport.Encoded }>`
          SELECT report FROM broadcast_reports WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
        return row === undefined ? null : decode(row.report)
      }, driverFailuresDie),
      keep: Effect.fnUntraced(function* (report) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO broadcast_reports (organization_id, broadcast_id, report)
          VALUES (${organization.id}, ${report.broadcastId}, ${PgTypes.json(encode(report))})
          ON CONFLICT (organization_id, broadcast_id) DO NOTHING`
      }, driverFailuresDie)
    })
  )
)
