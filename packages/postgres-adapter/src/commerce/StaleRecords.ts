import { type OldestStaleRecord, type StaleRecord, StaleRecords } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

type ReportedRow<Row extends { readonly toldAt: DateTime.Utc }> = Omit<Row, "toldAt"> & { readonly toldAt: Instant }

const withTime = <Row extends { readonly toldAt: DateTime.Utc }>(row: ReportedRow<Row>) => ({
  ...row,
  toldAt: utc(row.toldAt)
})

const rowOf = (mark: StaleRecord) => ({ ...mark, toldAt: DateTime.formatIso(mark.toldAt) })

export const layer = Layer.effect(
  StaleRecords,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(StaleRecords, {
      mark: Effect.fnUntraced(function* (organization, marks) {
        if (marks.length === 0) return
        // Rows are written in one order to prevent deadlocks, and each record once, because a statement cannot change a row twice.
        yield* sql`
          INSERT INTO store_stale_records AS t (organization_id, store_connection_id, kind, external_id, id, reported_at)
          SELECT ${organization.id}::uuid, r."storeConnectionId", r.kind, r."externalId", max(r.id::text)::uuid,
            min(r."toldAt")
          FROM json_to_recordset(${PgTypes.json(marks.map(rowOf))}) AS r (id uuid, "storeConnectionId" uuid, kind text,
            "externalId" text, "toldAt" timestamptz)
          GROUP BY r."storeConnectionId", r.kind, r."externalId"
          ORDER BY r."storeConnectionId", r.kind COLLATE "C", r."externalId" COLLATE "C"
          ON CONFLICT (organization_id, store_connection_id, kind, external_id) DO UPDATE SET id = excluded.id,
            reported_at = least(t.reported_at, excluded.reported_at)`
      }),
      oldest: Effect.fnUntraced(function* (organization, storeConnectionId, kind, limit) {
        const rows = yield* sql<ReportedRow<StaleRecord>>`
          SELECT id, store_connection_id AS "storeConnectionId", kind, external_id AS "externalId", reported_at AS "toldAt"
          FROM store_stale_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId} AND kind = ${kind}
          ORDER BY reported_at, external_id LIMIT ${limit}`
        return rows.map(withTime)
      }),
      drop: Effect.fnUntraced(function* (organization, marks) {
        if (marks.length === 0) return
        yield* sql`
          DELETE FROM store_stale_records AS t USING json_to_recordset(${PgTypes.json(marks.map(rowOf))}) AS r (id uuid,
            "storeConnectionId" uuid, kind text, "externalId" text)
          WHERE t.organization_id = ${organization.id} AND t.store_connection_id = r."storeConnectionId"
            AND t.kind = r.kind AND t.external_id = r."externalId" AND t.id = r.id`
      }),
      oldestOf: Effect.fnUntraced(function* (organization, storeConnectionIds) {
        if (storeConnectionIds.length === 0) return []
        const rows = yield* sql<ReportedRow<OldestStaleRecord>>`
          SELECT store_connection_id AS "storeConnectionId", min(reported_at) AS "toldAt" FROM store_stale_records
          WHERE organization_id = ${organization.id}
            AND store_connection_id = ANY(${Array.from(storeConnectionIds)}::uuid[])
          GROUP BY store_connection_id`
        return rows.map(withTime)
      })
    })
  )
)
