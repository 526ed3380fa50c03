import type { OrganizationId } from "@parley/domain/kernel"
import { refundedAmount, type OrderId } from "@parley/domain/commerce"
import type { AnalyticsRecords, CountedOrder } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { uuids } from "../kernel/uuids.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"

type Money = Parameters<typeof refundedAmount>[0]["refunded"]

interface Row extends Pick<CountedOrder, "id" | "isTest" | "currency" | "touchedBy" | "keptAttribution"> {
  readonly placedAt: Instant
  readonly cancelledAt: string | null
  readonly gross: ReadonlyArray<{ readonly amountMinor: number; readonly at: string }>
  readonly refunded: Money
  readonly refunds: ReadonlyArray<{ readonly externalId: string; readonly amount: Money; readonly at: string }>
}

const orderOf = ({ cancelledAt, gross, placedAt, refunded, refunds, ...row }: Row): CountedOrder => {
  const refundRows = refunds.map(({ at, ...refund }) => ({ ...refund, at: DateTime.makeUnsafe(at) }))
  return {
    ...row,
    placedAt: utc(placedAt),
    cancelledAt: cancelledAt === null ? null : DateTime.makeUnsafe(cancelledAt),
    gross: gross.map(({ amountMinor, at }) => ({ amountMinor, at: DateTime.makeUnsafe(at) })),
    refunds: refundRows.map(({ amount: { amountMinor }, at }) => ({ amountMinor, at })),
    givenBack: refundedAmount({ refunded, refunds: refundRows })
  }
}

type Port = TenantMethods<
  Pick<(typeof AnalyticsRecords)["Service"], "orders" | "origins" | "ordersOf" | "ordersTouchedBy" | "ordersAfter">
>

/**
 * Counted columns of orders, with their revenue attribution: an order belongs to the broadcast that the contact read or answered last before it.
 */
export const orderRecords = (sql: SqlClient.SqlClient): Port => {
  const acceptedAt = sql`LEAST(r.sent_at, r.delivered_at, r.read_at)`
  /** Last time that a recipient `r` read or answered before an order `o` was placed. */
  const touchedAt = sql`GREATEST(CASE WHEN r.read_at < o.placed_at THEN r.read_at END,
    CASE WHEN r.replied_at < o.placed_at THEN r.replied_at END)`
  /** Whether that counts for the order: the message was accepted, not too long before. */
  const counts = (hours: number): Statement.Fragment => sql`
    r.status IN ('sent', 'delivered', 'read') AND ${acceptedAt} <= o.placed_at
    AND ${acceptedAt} > o.placed_at - make_interval(hours => ${hours}) AND ${touchedAt} IS NOT NULL`
  /** For orders `o`: the attributed broadcast `t` by the data, and `c` with the stored attribution. */
  const credits = (id: OrganizationId, hours: number): Statement.Fragment => sql`
    LEFT JOIN analytics_credits AS c ON c.organization_id = ${id} AND c.order_id = o.id
    LEFT JOIN LATERAL (
      SELECT r.broadcast_id FROM broadcast_recipients AS r
      WHERE r.organization_id = ${id} AND r.contact_id = o.contact_id AND ${counts(hours)}
      ORDER BY ${touchedAt} DESC, ${acceptedAt} DESC, r.broadcast_id DESC LIMIT 1
    ) AS t ON true`
  /** Maximum time from the end of a broadcast to the acceptance of its last messages. Providers give up then. */
  const latest = sql`interval '30 days'`
  const idsOf = (rows: ReadonlyArray<{ readonly id: OrderId }>) => rows.map(({ id }) => id)

  return {
    orders: Effect.fnUntraced(function* ({ id }, ids, attributionHours) {
      if (ids.length === 0) return []
      const rows = yield* sql<Row>`
        SELECT o.id, o.currency, o.placed_at AS "placedAt", o.gross, (o.record->>'test')::boolean AS "isTest",
          o.record->>'cancelledAt' AS "cancelledAt", o.record->'refunds' AS refunds, o.record->'refunded' AS refunded,
          t.broadcast_id AS "touchedBy", c.broadcast_id AS "keptAttribution"
        FROM store_orders AS o ${credits(id, attributionHours)}
        WHERE o.organization_id = ${id} AND o.id = ANY(${uuids(ids)})`
      return rows.map(orderOf)
    }),
    origins: Effect.fnUntraced(function* ({ id }, ids) {
      if (ids.length === 0) return new Map()
      const rows = yield* sql<{ readonly id: OrderId; readonly origin: string }>`
        SELECT o.id, md5(s.provider || ' ' || s.shop_domain || ' ' || o.external_id)::uuid AS origin
        FROM store_orders AS o
        JOIN store_connections AS s ON s.organization_id = ${id} AND s.id = o.store_connection_id
        WHERE o.organization_id = ${id} AND o.id = ANY(${uuids(ids)})`
      return new Map(rows.map((row) => [row.id, row.origin]))
    }),
    ordersOf: Effect.fnUntraced(function* ({ id }, customerIds, contactIds) {
      if (customerIds.length === 0 && contactIds.length === 0) return []
      return idsOf(
        yield* sql<{ readonly id: OrderId }>`
          SELECT o.id FROM store_customers AS c JOIN store_orders AS o ON o.organization_id = ${id}
            AND o.store_connection_id = c.store_connection_id AND o.external_customer_id = c.external_id
          WHERE c.organization_id = ${id} AND c.id = ANY(${uuids(customerIds)})
          UNION
          SELECT o.id FROM store_orders AS o WHERE o.organization_id = ${id} AND o.contact_id = ANY(${uuids(contactIds)})`
      )
    }),
    ordersTouchedBy: Effect.fnUntraced(function* ({ id }, broadcastIds, attributionHours, version) {
      if (broadcastIds.length === 0) return []
      // Starts from the orders since each broadcast started: they are fewer than its readers. A message that has failed since had the credit, so the
      // query compares with the stored counts. An order has no other scope than its credit.
      return idsOf(
        yield* sql<{ readonly id: OrderId }>`
          SELECT o.id FROM (
            SELECT DISTINCT o.id, o.contact_id, o.placed_at, (k.counts->'s'->>0)::uuid AS counted
            FROM broadcasts AS b CROSS JOIN LATERAL (
              SELECT o.id, o.contact_id, o.placed_at FROM store_orders AS o
              WHERE o.organization_id = ${id} AND o.contact_id IS NOT NULL AND o.placed_at >= b.started_at
                AND (b.ended_at IS NULL OR o.placed_at <= b.ended_at + ${latest} + make_interval(hours => ${attributionHours}))
              OFFSET 0
            ) AS o JOIN broadcast_recipients AS r ON r.organization_id = ${id} AND r.contact_id = o.contact_id
              AND r.broadcast_id = b.id
            LEFT JOIN analytics_counted_records AS k ON k.organization_id = ${id} AND k.rollup_version = ${version} AND k.id = o.id AND k.part = 0
            WHERE b.organization_id = ${id} AND b.id = ANY(${uuids(broadcastIds)})
              AND (${touchedAt} IS NOT NULL OR (k.counts->'s'->>0)::uuid = b.id)
          ) AS o ${credits(id, attributionHours)}
          WHERE coalesce(c.broadcast_id, t.broadcast_id) IS DISTINCT FROM o.counted`
      )
    }),
    ordersAfter: Effect.fnUntraced(function* ({ id }, after, limit, since) {
      return idsOf(
        yield* sql<{ readonly id: OrderId }>`
          SELECT o.id FROM store_orders AS o WHERE o.organization_id = ${id}
            ${after === null ? sql`` : sql`AND o.id > ${after}`}
            ${since === null ? sql`` : sql`AND o.contact_id IS NOT NULL AND o.placed_at >= ${stamp(since)}`}
          ORDER BY o.id LIMIT ${limit}`
      )
    })
  }
}
