import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Orders are counted, too, and what broadcasts have the credit for. Of orders that are there already nobody knows when they were edited: that
 * counts with the placing. Each log tells of them once, 500 at a time, so that the subscriber that counts finds them.
 */
export const countedOrders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE analytics_books ADD COLUMN attribution_hours integer`
  yield* sql`
    CREATE TABLE analytics_credits (
      organization_id uuid NOT NULL REFERENCES organizations,
      order_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      PRIMARY KEY (organization_id, order_id)
    )`
  yield* sql`ALTER TABLE store_orders ADD COLUMN gross json NOT NULL DEFAULT '[]'`
  yield* sql`
    UPDATE store_orders AS o SET gross = json_build_array(json_build_object('amountMinor',
      CASE WHEN o.record->>'cancelledAt' IS NOT NULL THEN s.total ELSE s.current + least(s.given, greatest(0, s.paid - s.current)) END,
      'at', o.record->>'placedAt'))
    FROM store_orders AS k CROSS JOIN LATERAL (
      SELECT (k.record->'total'->>'amountMinor')::bigint AS total, (k.record->'currentTotal'->>'amountMinor')::bigint AS current,
        (k.record->'paid'->>'amountMinor')::bigint AS paid, greatest((k.record->'refunded'->>'amountMinor')::bigint,
          (SELECT coalesce(sum((r->'amount'->>'amountMinor')::bigint), 0) FROM json_array_elements(k.record->'refunds') AS r)) AS given
    ) AS s
    WHERE k.organization_id = o.organization_id AND k.id = o.id AND (o.deleted_at IS NULL OR o.record->>'name' <> '')`
  yield* sql`
    CREATE INDEX store_orders_by_time ON store_orders (organization_id, placed_at) WHERE contact_id IS NOT NULL`

  yield* sql`
    WITH batches AS (
      SELECT organization_id, store_connection_id, batch, json_agg(id ORDER BY id) AS ids,
        row_number() OVER (PARTITION BY organization_id ORDER BY store_connection_id, batch) AS place
      FROM (
        SELECT organization_id, store_connection_id, id,
          (row_number() OVER (PARTITION BY organization_id, store_connection_id ORDER BY id) - 1) / 500 AS batch
        FROM store_orders
      ) AS numbered GROUP BY organization_id, store_connection_id, batch
    )
    INSERT INTO events (organization_id, position, type, data, actor_kind, actor_id, at)
    SELECT b.organization_id, coalesce(h.head, 0) + b.place, 'orders.stored', jsonb_build_object(
      'storeConnectionId', b.store_connection_id, 'orderIds', b.ids), 'system', 'stores', now()
    FROM batches AS b LEFT JOIN event_heads AS h ON h.organization_id = b.organization_id`
  yield* sql`
    INSERT INTO event_heads (organization_id, head) SELECT organization_id, max(position) FROM events GROUP BY organization_id
    ON CONFLICT (organization_id) DO UPDATE SET head = excluded.head`
})
