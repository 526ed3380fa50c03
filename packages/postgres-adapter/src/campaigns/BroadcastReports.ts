import { BroadcastReport, BroadcastReports } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { tenantPort } from "../kernel/tenantPort.ts"

const encode = Schema.encodeSync(BroadcastReport)
const decode = Schema.decodeSync(BroadcastReport)

export const layer = Layer.effect(
  BroadcastReports,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(BroadcastReports, {
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<{ readonly report: typeof BroadcastReport.Encoded }>`
          SELECT report FROM broadcast_reports WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
        return row === undefined ? null : decode(row.report)
      }),
      keep: Effect.fnUntraced(function* (organization, report) {
        yield* sql`
          INSERT INTO broadcast_reports (organization_id, broadcast_id, report)
          VALUES (${organization.id}, ${report.broadcastId}, ${PgTypes.json(encode(report))})
          ON CONFLICT (organization_id, broadcast_id) DO NOTHING`
      })
    })
  )
)
