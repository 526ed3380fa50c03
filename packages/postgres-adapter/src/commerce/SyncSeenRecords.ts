import { type StaleRecordKind, SyncSeenRecords } from "@parley/domain/commerce"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

/** Conditions for existing records, by kind. */
const standing = {
  orders: "deleted_at IS NULL",
  customers: "closed_at IS NULL",
  products: "status <> 'deleted'"
} as const satisfies Record<StaleRecordKind, string>

interface UnseenRow {
  readonly externalId: string
  readonly isUnseen: boolean
}

export const layer = Layer.effect(
  SyncSeenRecords,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const tableOf = (kind: StaleRecordKind) => sql.literal(`store_${kind}`)
    return tenantPort(SyncSeenRecords, {
      see: Effect.fnUntraced(function* (organization, { jobId, kind, storeConnectionId }, externalIds) {
        if (externalIds.length === 0) return
        yield* sql`
          INSERT INTO store_sync_seen (organization_id, store_connection_id, kind, external_id, job_id)
          SELECT ${organization.id}::uuid, ${storeConnectionId}::uuid, ${kind}, e.id, ${jobId}::uuid
          FROM unnest(${[...new Set(externalIds)].toSorted()}::text[]) AS e (id)
          ON CONFLICT (organization_id, store_connection_id, kind, external_id) DO UPDATE SET job_id = excluded.job_id`
      }),
      isAnyKept: Effect.fnUntraced(function* (organization, storeConnectionId, kind, before) {
        const found = yield* sql`
          SELECT 1 FROM ${tableOf(kind)} WHERE organization_id = ${organization.id}
            AND store_connection_id = ${storeConnectionId} AND ${sql.literal(standing[kind])}
            AND updated_at < ${stamp(before)} LIMIT 1`
        return found.length > 0
      }),
      unseen: Effect.fnUntraced(function* (organization, { jobId, kind, storeConnectionId }, before, after, limit) {
        const rows = yield* sql<UnseenRow>`
          SELECT k.external_id AS "externalId", k.stands AND NOT EXISTS (
            SELECT FROM store_sync_seen AS s WHERE s.organization_id = ${organization.id}
              AND s.store_connection_id = ${storeConnectionId} AND s.kind = ${kind}
              AND s.external_id = k.external_id AND s.job_id = ${jobId}) AS "isUnseen"
          FROM (
            SELECT external_id, updated_at < ${stamp(before)} AND ${sql.literal(standing[kind])} AS stands
            FROM ${tableOf(kind)} WHERE organization_id = ${organization.id}
              AND store_connection_id = ${storeConnectionId} AND external_id > ${after ?? ""}
            ORDER BY external_id LIMIT ${limit}
          ) AS k ORDER BY k.external_id`
        return {
          externalIds: rows.flatMap(({ externalId, isUnseen }) => (isUnseen ? [externalId] : [])),
          last: rows.length < limit ? null : (rows.at(-1)?.externalId ?? null)
        }
      }),
      forget: Effect.fnUntraced(function* (organization, storeConnectionId, limit) {
        const gone = yield* sql`
          DELETE FROM store_sync_seen WHERE organization_id = ${organization.id} AND ctid = ANY(ARRAY(
            SELECT ctid FROM store_sync_seen WHERE organization_id = ${organization.id}
              AND store_connection_id = ${storeConnectionId} LIMIT ${limit}))
          RETURNING 1`
        return gone.length
      })
    })
  })
)
