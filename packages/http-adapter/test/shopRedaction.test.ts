import { assert, layer } from "@effect/vitest"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Exit, Latch, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { assertStatus, at, rowsOf } from "./harness/answers.ts"
import { everyRow, type Send } from "./harness/books.ts"
import { busyShop } from "./harness/shopify.ts"
import { connectShop, layerShops, sendAs, startService, untilRead } from "./harness/shops.ts"
import { givenTenant } from "./harness/tenants.ts"

const { domain } = busyShop

const person = { firstName: "Ada", lastName: "King", phone: "+4915112345678", email: "ada.king@buyers.example" }
const other = { firstName: "Grace", lastName: "Brewster", phone: "+4915187654321", email: "grace.b@buyers.example" }

const requestOf = (send: Send, kind: string, state: string) =>
  Effect.repeat(
    Effect.delay(
      Effect.map(send("GET", "/privacy_requests"), (answer) =>
        rowsOf(answer).find((row) => at(row, "kind") === kind && at(row, "state") === state)
      ),
      "50 millis"
    ),
    { until: (row) => row !== undefined }
  )

/** Tables with this text in any row. */
const tablesWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`
  const found = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql`SELECT 1 FROM ${sql(name)} AS t WHERE t::text LIKE ${`%${text}%`} LIMIT 1`, ({ length }) =>
      length > 0 ? [name] : []
    )
  )
  return found.flat()
})

/** Row counts of a store by table, without empty tables. */
const rowsOfStore = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'store_connection_id' ORDER BY table_name`
  const counts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly count: number }>`
        SELECT count(*)::integer AS count FROM ${sql(name)} WHERE store_connection_id = ${id}`,
      ([row]) => [name, row?.count ?? 0] as const
    )
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
})

/** Locks a customer in the middle of the shop until the scope ends. */
const holdCustomer = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const held = yield* Latch.make()
  const holding = sql`
    SELECT FROM store_customers WHERE store_connection_id = ${id} AND id = (
      SELECT id FROM store_customers WHERE store_connection_id = ${id} AND closed_at IS NULL ORDER BY id DESC OFFSET 40 LIMIT 1)
    FOR UPDATE`
  yield* Effect.forkScoped(sql.withTransaction(Effect.andThen(holding, Effect.andThen(held.open, Effect.never))))
  yield* held.await
})

const untilSomebodyWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'
      AND wait_event_type = 'Lock' AND query LIKE '%store_customers%'`
  yield* Effect.repeat(Effect.delay(waiting, "20 millis"), { until: ({ length }) => length > 0 })
})

layer(layerShops({ ...busyShop, customers: 80, orders: 120 }), { excludeTestServices: true, timeout: "120 seconds" })(
  "what a shop asks about personal data",
  (it) => {
    it.effect(
      "is done from the signed webhook to the last row, also when the process ends in the middle",
      () =>
        Effect.gen(function* () {
          const [simulator, sql] = [yield* StoreSimulator, yield* SqlClient.SqlClient]
          const tenant = yield* givenTenant()
          const send = yield* sendAs(tenant)
          const [asking, leaving] = [person, other].map((input) =>
            simulator.act({ kind: "add_customer", shop: domain, ...input })
          )
          if (asking === undefined || leaving === undefined) return assert.fail("Two customers were added.")
          for (const customer of [asking, leaving]) simulator.act({ kind: "buy", shop: domain, customer, paid: true })
          const life = yield* Scope.make()
          const first = yield* startService.pipe(Scope.provide(life))
          const id = yield* connectShop(send, domain)
          assert.strictEqual(at((yield* untilRead(send, id)).body, "sync", "state"), "done")
          const customers = yield* everyRow(send, "/commerce/customers")
          assert.lengthOf(customers, 82)
          assert.isAbove((yield* everyRow(send, "/contacts")).length, 1)

          simulator.act({ kind: "request_data", shop: domain, customer: asking })
          const asked = yield* requestOf(send, "data_request", "ready")
          const file = yield* send("GET", `/privacy_requests/${String(at(asked, "id"))}/export`)
          assertStatus(file, 200)
          for (const input of [person.email, person.phone]) assert.include(file.text, input)
          assert.notInclude(file.text, other.email)
          // The request's data about the person stays until its export is handed over.
          assertStatus(yield* send("POST", `/privacy_requests/${String(at(asked, "id"))}/complete`), 200)

          simulator.act({ kind: "redact_customer", shop: domain, customer: leaving })
          yield* requestOf(send, "redact_customer", "done")
          assert.deepStrictEqual(yield* tablesWith(other.email), [])
          assert.deepStrictEqual(yield* tablesWith(other.phone), [])
          assert.lengthOf(yield* everyRow(send, "/commerce/customers"), 81)
          assert.isAbove((yield* tablesWith(person.email)).length, 0)

          simulator.act({ kind: "uninstall", shop: domain })
          yield* Effect.repeat(Effect.delay(send("GET", `/store_connections/${id}`), "50 millis"), {
            until: ({ body }) => at(body, "status") === "uninstalled"
          })
          const hold = yield* Scope.make()
          yield* holdCustomer(id).pipe(Scope.provide(hold))
          simulator.act({ kind: "redact_shop", shop: domain })
          yield* untilSomebodyWaits
          yield* Scope.close(life, Exit.void)
          assert.strictEqual(yield* first.ended, "SIGKILL")
          yield* Scope.close(hold, Exit.void)
          const [middle] = yield* sql<{ readonly left: number }>`
            SELECT count(*)::integer AS left FROM store_customers WHERE store_connection_id = ${id} AND closed_at IS NULL`
          assert.strictEqual(middle?.left, 81 - 25)

          yield* startService
          const done = yield* requestOf(send, "redact_shop", "done")
          assert.isAtLeast(Number(at(done, "counts", "records")), 81)
          const { privacy_requests: requests, ...rest } = yield* rowsOfStore(id)
          assert.deepStrictEqual([requests, rest], [3, {}])
          for (const input of [person.email, person.phone]) {
            assert.deepStrictEqual(yield* tablesWith(input), [])
          }
          assert.lengthOf(yield* everyRow(send, "/contacts"), 0)
          for (const kind of ["customers", "orders", "products", "carts"]) {
            assert.deepStrictEqual(yield* everyRow(send, `/commerce/${kind}`), [])
          }
        }).pipe(Effect.scoped),
      180_000
    )
  }
)
