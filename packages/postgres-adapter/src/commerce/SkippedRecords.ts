import {
  CurrentOrganization,
  SkippedRecord,
  SkippedRecords,
  type StoreConnectionId,
  type StoredSkippedRecord
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

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
    SkippedRecords.of({
      put: Effect.fnUntraced(function* (records, max) {
        const organization = yield* CurrentOrganization
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
      }, driverFailuresDie),
      remove: Effect.fnUntraced(function* (storeConnectionId, keys) {
        if (keys.length === 0) return
        const organization = yield* CurrentOrganization
        yield* sql`
          DELETE FROM store_skipped_records AS t
          USING unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ externalId }) => externalId)}::text[])
            AS gone (kind, external_id)
          WHERE t.organization_id = ${organization.id} AND t.store_connection_id = ${storeConnectionId}
            AND t.kind = gone.kind AND t.external_id = gone.external_id`
      }, driverFailuresDie),
      list: Effect.fnUntraced(function* (storeConnectionId, { after, limit }) {
        const organization = yield* CurrentOrganization
        const [kind = "", externalId = ""] = after ?? []
        const rows = yield* sql<SkippedRow>`
          SELECT ${sql.literal(columns)} FROM store_skipped_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND (kind, external_id) > (${kind}, ${externalId})
          ORDER BY kind, external_id LIMIT ${limit}`
        return rows.map(storedFromRow)
      }, driverFailuresDie),
      counts: Effect.fnUntraced(function* (ids) {
        if (ids.length === 0) return []
        const organization = yield* CurrentOrganization
        return yield* sql<{ readonly storeConnectionId: StoreConnectionId; readonly count: number }>`
          SELECT store_connection_id AS "storeConnectionId", count(*)::integer AS count FROM store_skipped_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ANY(${Array.from(ids)}::uuid[])
          GROUP BY store_connection_id`
      }, driverFailuresDie),
      outdated: Effect.fnUntraced(function* (storeConnectionId, readerVersion, limit) {
        const organization = yield* CurrentOrganization
        const rows = yield* sql<SkippedRow>`
          SELECT ${sql.literal(columns)} FROM store_skipped_records
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND reader_version <> ${readerVersion}
          ORDER BY kind, external_id LIMIT ${limit}`
        return rows.map(storedFromRow)
      }, driverFailuresDie),
      expire: Effect.fnUntraced(function* (storeConnectionId, before) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE store_skipped_records SET reader_version = ''
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND updated_at < ${stamp(before)}`
      }, driverFailuresDie)
    })
  )
)
