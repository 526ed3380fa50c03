import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Store } from "./passing.ts"

/** A record of a shop as it is stored. */
export interface FoundRecord {
  readonly externalId: string
  readonly isGone: boolean
  readonly record: Readonly<Record<string, unknown>>
}

/** An order and its reports. */
export interface FoundOrder extends FoundRecord {
  readonly isNew: boolean
  readonly refunds: number
  readonly told: Readonly<Record<string, number>>
}

/** Stored data of a shop. */
export const readFound = Effect.fnUntraced(function* ({ id, organizationId }: Store) {
  const sql = yield* SqlClient.SqlClient
  const theirs = sql`organization_id = ${organizationId} AND store_connection_id = ${id}`
  return {
    customers: yield* sql<FoundRecord>`
      SELECT external_id AS "externalId", closed_at IS NOT NULL AS "isGone", json_build_object('externalId', external_id,
        'name', name, 'phone', phone, 'email', email, 'locale', locale, 'tags', tags, 'smsConsent', sms_consent, 'chatConsent', chat_consent,
        'emailConsent', email_consent, 'isContact', contact_id IS NOT NULL) AS record
      FROM store_customers WHERE ${theirs}`,
    products: yield* sql<FoundRecord>`
      SELECT external_id AS "externalId", status = 'deleted' AS "isGone", json_build_object('externalId', external_id,
        'title', title, 'status', status, 'url', url, 'imageUrl', image_url, 'variants', variants) AS record
      FROM store_products WHERE ${theirs}`,
    carts: yield* sql<FoundRecord>`
      SELECT external_id AS "externalId", false AS "isGone", record FROM store_carts WHERE ${theirs}`,
    orders: yield* sql<FoundOrder>`
      SELECT external_id AS "externalId", deleted_at IS NOT NULL AS "isGone", record,
        placed_at >= (SELECT connected_at FROM store_connections WHERE organization_id = ${organizationId} AND id = ${id}) AS "isNew",
        json_array_length(refund_ids) AS refunds,
        (SELECT coalesce(json_object_agg(e.type, e.count), '{}') FROM (
          SELECT type, count(*) FROM events
          WHERE organization_id = ${organizationId} AND type LIKE 'order.%' AND data ->> 'orderId' = o.id::text
          GROUP BY type) AS e) AS told
      FROM store_orders AS o WHERE ${theirs}`
  }
})
export type Found = Effect.Success<ReturnType<typeof readFound>>

/** Differences between counted and actual orders of contacts. */
export const miscounted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly contactId: string; readonly counted: string; readonly is: string }>`
    SELECT contact_id AS "contactId", coalesce(l.of, 'nothing') AS counted, coalesce(o.of, 'nothing') AS is
    FROM (
      SELECT organization_id, contact_id, store_connection_id, currency, order_count || ' orders, ' || spent_minor AS of
      FROM store_lifetime_totals
    ) AS l FULL JOIN (
      SELECT organization_id, contact_id, store_connection_id, currency, count(*) || ' orders, ' || sum(spent_minor) AS of
      FROM store_orders WHERE contact_id IS NOT NULL AND counts
      GROUP BY organization_id, contact_id, store_connection_id, currency
    ) AS o USING (organization_id, contact_id, store_connection_id, currency)
    WHERE l.of IS DISTINCT FROM o.of`
})

/** Pending work of stores. */
export const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    readonly deliveries: number
    readonly parked: number
    readonly marks: number
    readonly syncs: number
  }>`
    SELECT (SELECT count(*) FROM inbound_deliveries WHERE state = 'waiting')::integer AS deliveries,
      (SELECT count(*) FROM inbound_deliveries WHERE state = 'parked')::integer AS parked,
      (SELECT count(*) FROM store_stale_records)::integer AS marks,
      (SELECT count(*) FROM jobs WHERE finished_at IS NULL)::integer AS syncs`
  return row ?? { deliveries: 0, parked: 0, marks: 0, syncs: 0 }
})

/** Records that syncs of stores have seen and not deleted yet. */
export const sightings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM store_sync_seen`
  return row?.count ?? 0
})
