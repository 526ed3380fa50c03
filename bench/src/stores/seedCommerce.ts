import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownLine } from "../chat/provider.ts"
import { givenReaders } from "../campaigns/given.ts"

/** The organization whose contacts buy. */
export const buyersLine = ownLine(0)

const connectionId = "00000000-0000-7000-a000-000000000001"

/** Number of products. Each product is bought half as often as the previous one. */
export const productCount = 12

const productStart = "00000000-0000-7000-b000-0000000000"

/** The id of the product with this place. */
export const productAt = (place: number) => `${productStart}${String(place).padStart(2, "0")}`

/** The contact with this number. */
export const contactAt = (number: number) => `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

const atOnce = 100_000

/** How many orders the contact with the most of them has. */
export const mostOrders = 5_000

/**
 * A number of contacts, six in ten of them with orders, and a number of orders with one line each. The first contact has `mostOrders`, the others
 * about equally many.
 */
export const seedCommerce = Effect.fnUntraced(function* (contacts: number, orders: number) {
  const sql = yield* SqlClient.SqlClient
  const { organizationId } = buyersLine
  yield* sql`SET statement_timeout = 0`
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    VALUES (${organizationId}, 'Buyers', 'buyers', 'scale', 'Europe/Berlin', 'en', 'EUR', 'active', now(), 1)`
  yield* givenReaders(0, buyersLine, contacts)
  yield* sql`
    INSERT INTO store_connections (organization_id, id, provider, shop_domain, shop_id, name, currency, status, scopes,
      make_contacts, take_consent, cart_abandoned_after_minutes, sync, created_at, updated_at, version)
    VALUES (${organizationId}, ${connectionId}, 'shopify', 'buyers.myshopify.com', 'shop', 'Buyers', 'EUR', 'connected',
      '[]', 'never', false, 60, '{"state":"never","phase":null,"progress":{"done":0,"total":null},"jobId":null}', now(), now(), 1)`
  yield* sql`
    INSERT INTO store_products (organization_id, id, store_connection_id, external_id, title, status, variants, search,
      changed_at, created_at, updated_at)
    SELECT ${organizationId}, (${productStart} || lpad(n::text, 2, '0'))::uuid, ${connectionId}, 'p' || n, 'Product ' || n,
      'active', '[]', 'product ' || n, now(), now(), now()
    FROM generate_series(0, ${productCount - 1}::integer) AS n`
  for (let from = 0; from < orders; from += atOnce) {
    yield* sql`
      INSERT INTO store_orders (organization_id, id, store_connection_id, external_id, contact_id, placed_at,
        payment_status, fulfilment_status, counts, currency, spent_minor, record, refund_ids, search, created_at, updated_at)
      SELECT ${organizationId}, ('00000000-0000-7000-c000-' || lpad(to_hex(n), 12, '0'))::uuid, ${connectionId}, 'o' || n,
        ('00000000-0000-7000-8000-' || lpad(to_hex(CASE WHEN n < ${mostOrders} THEN 0
          ELSE (n::bigint * 7919) % ${Math.floor(contacts * 0.6)}::bigint END), 12, '0'))::uuid,
        placed, 'paid', 'fulfilled', true, 'EUR', amount, json_build_object('externalId', 'o' || n, 'name', '#' || n,
          'externalCustomerId', NULL, 'phone', NULL, 'email', NULL, 'checkoutToken', NULL, 'placedAt', at, 'cancelledAt', NULL,
          'test', false, 'paymentStatus', 'paid', 'fulfilmentStatus', 'fulfilled', 'total', money, 'currentTotal', money,
          'tax', none, 'shipping', none, 'discount', none, 'paid', money, 'refunded', none, 'presentmentTotal', money,
          'statusUrl', NULL, 'adminUrl', NULL, 'lines', json_build_array(json_build_object('externalProductId', product,
            'externalVariantId', NULL, 'sku', NULL, 'title', 'Product', 'variantTitle', NULL, 'imageUrl', NULL, 'quantity', 1,
            'currentQuantity', 1, 'unitPrice', money, 'discount', none)),
          'fulfilments', '[]'::json, 'refunds', '[]'::json, 'truncated', false, 'updatedAt', at),
        '[]', '#' || n, placed, placed
      FROM (
        SELECT n, placed, amount, json_build_object('amountMinor', amount, 'currency', 'EUR') AS money,
          json_build_object('amountMinor', 0, 'currency', 'EUR') AS none,
          to_char(placed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
          'p' || least(floor(-log(2.0, 1 - random()::numeric)), ${productCount - 1})::integer AS product
        FROM (
          SELECT n, date_trunc('milliseconds', now() - random() * interval '365 days') AS placed,
            floor(random() * 20000)::bigint AS amount
          FROM generate_series(${from}::integer, ${Math.min(from + atOnce, orders) - 1}::integer) AS n
        ) AS drawn
      ) AS o`.unprepared
  }
  yield* sql`
    INSERT INTO store_order_lines (organization_id, order_id, external_product_id, store_connection_id, contact_id, placed_at)
    SELECT organization_id, id, record->'lines'->0->>'externalProductId', store_connection_id, contact_id, placed_at
    FROM store_orders WHERE organization_id = ${organizationId}`
  yield* sql`
    INSERT INTO store_lifetime_totals (organization_id, contact_id, store_connection_id, currency, order_count, spent_minor,
      first_order_at, last_order_at)
    SELECT organization_id, contact_id, store_connection_id, currency, count(*), sum(spent_minor), min(placed_at),
      max(placed_at)
    FROM store_orders WHERE organization_id = ${organizationId}
    GROUP BY organization_id, contact_id, store_connection_id, currency`
})
