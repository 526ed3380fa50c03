import type { BroadcastId } from "@parley/domain/campaigns"
import type { AnalyticsRecords, BroadcastOutcome, BroadcastRecord, BroadcastTotals } from "@parley/domain/analytics"
import { type DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { uuids } from "../kernel/uuids.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"

interface Row extends Pick<BroadcastRecord, "id" | "chatAccountId"> {
  readonly outcomes: ReadonlyArray<BroadcastOutcome> | null
}

type Port = TenantMethods<Pick<(typeof AnalyticsRecords)["Service"], "broadcasts" | "broadcastTotals">>

/** Counted columns of broadcasts and their recipients. */
export const broadcastRecords = (sql: SqlClient.SqlClient): Port => {
  const isKept = (now: DateTime.Utc) => sql`
    b.recipients_deleted_at IS NULL AND (b.recipients_kept_until IS NULL OR b.recipients_kept_until > ${stamp(now)})`

  return {
    broadcasts: Effect.fnUntraced(function* ({ id }, ids, now) {
      if (ids.length === 0) return []
      const rows = yield* sql<Row>`
        SELECT b.id, b.chat_account_id AS "chatAccountId", o.outcomes FROM broadcasts AS b
        LEFT JOIN LATERAL (
          SELECT json_agg(json_build_object('quarter', g.quarter, 'sent', g.sent, 'delivered', g.delivered, 'read', g.read,
            'replied', g.replied, 'failed', g.failed) ORDER BY g.quarter) AS outcomes
          FROM (
            SELECT floor(extract(epoch FROM CASE r.status WHEN 'failed' THEN r.failed_at
                ELSE LEAST(r.sent_at, r.delivered_at, r.read_at) END) / 900)::integer AS quarter,
              count(*) FILTER (WHERE r.status <> 'failed') AS sent,
              count(*) FILTER (WHERE r.status IN ('delivered', 'read')) AS delivered,
              count(*) FILTER (WHERE r.status = 'read') AS read,
              count(*) FILTER (WHERE r.status <> 'failed' AND r.replied_at IS NOT NULL) AS replied,
              count(*) FILTER (WHERE r.status = 'failed') AS failed
            FROM broadcast_recipients AS r
            WHERE r.organization_id = ${id} AND r.broadcast_id = b.id
              AND r.status IN ('sent', 'delivered', 'read', 'failed')
            GROUP BY 1
          ) AS g WHERE g.quarter IS NOT NULL
        ) AS o ON true
        WHERE b.organization_id = ${id} AND b.id = ANY(${uuids(ids)}) AND ${isKept(now)}`
      return rows.map((row): BroadcastRecord => ({ ...row, outcomes: row.outcomes ?? [] }))
    }),
    broadcastTotals: Effect.fnUntraced(function* ({ id }, now) {
      return yield* sql<BroadcastTotals & { readonly id: BroadcastId }>`
        SELECT b.id, p.sent + p.delivered + p.read AS sent, p.delivered + p.read AS delivered, p.read, p.replied, p.failed
        FROM broadcasts AS b JOIN broadcast_progress AS p ON p.organization_id = ${id} AND p.broadcast_id = b.id
        WHERE b.organization_id = ${id} AND b.started_at IS NOT NULL AND ${isKept(now)}`
    })
  }
}
