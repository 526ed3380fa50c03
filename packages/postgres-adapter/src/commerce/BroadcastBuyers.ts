import { BroadcastBuyers, type BuyerCount } from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface CountRow extends Omit<BuyerCount, "lastDueAt"> {
  readonly lastDueAt: Instant
}

export const layer = Layer.effect(
  BroadcastBuyers,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(BroadcastBuyers, {
      areKnown: Effect.fnUntraced(function* ({ id }) {
        const rows = yield* sql`
          SELECT FROM store_connections WHERE organization_id = ${id} AND status <> 'pending' LIMIT 1`
        return rows.length > 0
      }),
      count: Effect.fnUntraced(function* ({ id }, broadcastId, days) {
        const rows = yield* sql<CountRow>`
          WITH drawn AS MATERIALIZED (
            SELECT r.seq, r.contact_id, r.variant::text AS variant, r.status = 'held_out' AS is_held_out, r.split_due_at
            FROM broadcast_recipients AS r
            WHERE r.organization_id = ${id} AND r.broadcast_id = ${broadcastId} AND r.split_due_at IS NOT NULL
              AND r.reason IS DISTINCT FROM 'duplicate'
          ), bought AS (
            SELECT d.variant, d.is_held_out, count(DISTINCT d.seq)::integer AS converted
            FROM drawn AS d JOIN store_orders AS o ON o.organization_id = ${id} AND o.contact_id = d.contact_id
              AND o.placed_at >= d.split_due_at AND o.placed_at < d.split_due_at + make_interval(hours => ${days * 24}::integer)
            WHERE o.counts GROUP BY d.variant, d.is_held_out
          ), groups AS (
            SELECT d.variant, d.is_held_out, count(*)::integer AS assigned, max(d.split_due_at) AS last_due_at
            FROM drawn AS d GROUP BY d.variant, d.is_held_out
          )
          SELECT g.variant, g.is_held_out AS "isHeldOut", g.assigned, coalesce(b.converted, 0) AS converted,
            g.last_due_at AS "lastDueAt"
          FROM groups AS g
          LEFT JOIN bought AS b ON b.variant IS NOT DISTINCT FROM g.variant AND b.is_held_out = g.is_held_out`
        return rows.map((row) => ({ ...row, lastDueAt: utc(row.lastDueAt) }))
      })
    })
  )
)
