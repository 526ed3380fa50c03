import {
  SkippedRecord,
  SkippedRecords,
  type StoreConnectionId,
  type StoredSkippedRecord
} from "@parley/domain/commerce"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface SkippedRow {
  readonly storeConnectionId: StoreConnectionId
  readonly kind: SkippedRecord["kind"]
  readonly externalId: string
  readonly reason: string
  readonly readerVersion: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const storedFromRow = ({ createdAt, readerVersion, storeConnectionId, updatedAt, ...record }: SkippedRow) =>
  ({
    storeConnectionId,
    readerVersion,
    record: new SkippedRecord({ ...record, createdAt: utc(createdAt), updatedAt: utc(updatedAt) })
  }) satisfies StoredSkippedRecord

const columns = `store_connection_id AS "storeConnectionId", kind, external_id AS "externalId", reason,
  reader_version AS "readerVersion", created_at AS "createdAt", updated_at AS "updatedAt"`

export const layer = Layer.effect(
  SkippedRecords,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(SkippedRecords, {
      put: Effect.fnUntraced(function* (organization, records, max) {
        for (const { readerVersion, record, storeConnectionId } of records) {
          yield* sql`
            INSERT INTO store_skipped_records (organization_id, store_connection_id, kind, external_id, reason,
              reader_version, created_at, updated_at)
            SELECT ${organization.id}::uuid, ${storeConnectionId}::uuid, ${record.kind}, ${record.externalId},
              ${record.reason}, ${readerVersion}, ${stamp(record.createdAt)}, ${stamp(record.updatedAt)}
            WHERE (
                SELECT count(*) FROM store_skipped_records
                WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
              ) < ${max} OR EXISTS (
                SELECT FROM store_skipped_records WHERE organization_id = ${organization.id}
                  AND store_connection_id = ${storeConnectionId} AND kind = ${record.kind}
                  AND external_id = ${record.externalId}
              )
            ON CONFLICT (organization_id, store_connection_id, kind, external_id) DO UPDATE
              SET reason = excluded.reason, reader_version = excluded.reader_version, updated_at = excluded.updated_at`
        }
      }),
      remove: Effect.fnUntraced(function* (organization, storeConnectionId, keys) {
        if (keys.length === 0) return
        yield* sql`
          DELETE FROM store_skipped_records AS t
          USING unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ externalId }) => externalId)}::text[])
            AS gone (kind, external_id)
          WHERE t.organization_id = ${organization.id} AND t.store_connection_id = ${storeConnectionId}
            AND t.kind = gone.kind AND t.external_id = gone.external_id`
      }),
      list: Effect.fnUntraced(function* (organization, storeConnectionId, { after, limit }) {
        const [kind = "", externalId = ""] = after ?? []
        const rows = yield* sql<SkippedRow>`
          SELECT ${sql.literal(columns)} FROM store_skipped_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND (kind, external_id) > (${kind}, ${externalId})
          ORDER BY kind, external_id LIMIT ${limit}`
        return rows.map(storedFromRow)
      }),
      counts: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        return yield* sql<{ readonly storeConnectionId: StoreConnectionId; readonly count: number }>`
          SELECT store_connection_id AS "storeConnectionId", count(*)::integer AS count FROM store_skipped_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ANY(${Array.from(ids)}::uuid[])
          GROUP BY store_connection_id`
      }),
      outdated: Effect.fnUntraced(function* (organization, storeConnectionId, readerVersion, limit) {
        const rows = yield* sql<SkippedRow>`
          SELECT ${sql.literal(columns)} FROM store_skipped_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND reader_version <> ${readerVersion}
          ORDER BY kind, external_id LIMIT ${limit}`
        return rows.map(storedFromRow)
      }),
      expire: Effect.fnUntraced(function* (organization, storeConnectionId, before) {
        yield* sql`
          UPDATE store_skipped_records SET reader_version = ''
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND updated_at < ${stamp(before)}`
      })
    })
  )
)
