import { assert, describe, it } from "@effect/vitest"
import { Database, Migrations } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../src/migrations/index.ts"

const on = (url: Redacted.Redacted) => Effect.provide(Database.layer({ url, maxConnections: 2 }))

const emptied = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP SCHEMA public CASCADE`
    yield* sql`CREATE SCHEMA public`
  }).pipe(on(url))
  return url
})

const older = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "counted orders")
)

describe("the migration of counted orders", () => {
  it.effect("works out what orders came to, and tells each log of them", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(older).pipe(on(url))
      const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
      const [organization, connection, now] = [uuid(1), uuid(2), "2026-03-10T12:00:00Z"]
      const eur = (amountMinor: number) => ({ amountMinor, currency: "EUR" })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
          VALUES (${organization}, 'Bakery', 'bakery', 'free', 'UTC', 'en', 'EUR', 'active', ${now}, 1)`
        yield* sql`
          INSERT INTO store_connections (organization_id, id, provider, shop_domain, name, status, scopes, make_contacts,
            take_consent, cart_abandoned_after_minutes, sync, created_at, updated_at, version)
          VALUES (${organization}, ${connection}, 'shopify', 'a.example', 'Bakery', 'connected', '[]', 'never', false, 60, '{}',
            ${now}, ${now}, 1)`
        yield* sql`
          INSERT INTO events (organization_id, position, type, data, actor_kind, actor_id, at)
          VALUES (${organization}, 1, 'contact.created', '{}', 'user', 'somebody', ${now})`
        yield* sql`INSERT INTO event_heads (organization_id, head) VALUES (${organization}, 1)`
        const order = (number: number, said: object, deletedAt: string | null = null) => {
          const record = {
            name: `#${number}`,
            placedAt: now,
            cancelledAt: null,
            total: eur(900),
            currentTotal: eur(900),
            paid: eur(900),
            refunded: eur(0),
            refunds: [],
            ...said
          }
          return sql`
            INSERT INTO store_orders (organization_id, id, store_connection_id, external_id, placed_at, payment_status,
              fulfilment_status, counts, currency, spent_minor, record, refund_ids, search, deleted_at, created_at, updated_at)
            VALUES (${organization}, ${uuid(number)}, ${connection}, ${String(number)}, ${now}, 'paid', 'fulfilled', true,
              'EUR', 0, ${JSON.stringify(record)}::text::json, '[]', '', ${deletedAt}, ${now}, ${now})`
        }
        yield* order(10, {})
        yield* order(11, { currentTotal: eur(500), refunds: [{ externalId: "r", amount: eur(400), at: now }] })
        yield* order(12, { currentTotal: eur(500), paid: eur(500) })
        yield* order(13, { currentTotal: eur(0), cancelledAt: now })
        yield* order(14, { name: "" }, now)

        yield* Migrations.migrate
        const orders = yield* sql<{ readonly gross: unknown }>`SELECT gross FROM store_orders ORDER BY id`
        assert.deepStrictEqual(
          orders.map(({ gross }) => gross),
          [
            [{ amountMinor: 900, at: now }],
            [{ amountMinor: 900, at: now }],
            [{ amountMinor: 500, at: now }],
            [{ amountMinor: 900, at: now }],
            []
          ]
        )
        const [told] = yield* sql`
          SELECT position::integer AS position, type, data FROM events WHERE organization_id = ${organization} ORDER BY position DESC LIMIT 1`
        assert.deepStrictEqual(told, {
          position: 2,
          type: "orders.stored",
          data: { storeConnectionId: connection, orderIds: [10, 11, 12, 13, 14].map(uuid) }
        })
        const [{ head } = { head: 0 }] = yield* sql<{ readonly head: number }>`
          SELECT head::integer AS head FROM event_heads WHERE organization_id = ${organization}`
        assert.strictEqual(head, 2)
      }).pipe(on(url))
    })
  )
})
