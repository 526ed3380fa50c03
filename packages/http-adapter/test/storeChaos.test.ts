import { assert, layer } from "@effect/vitest"
import { InboundDeliveries, EventLog } from "@parley/domain/platform"
import { type StoreConnectionId, StaleRecords } from "@parley/domain/commerce"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { assertStatus, at, textAt } from "./harness/answers.ts"
import { expectedBooks, type Send, shownBooks } from "./harness/books.ts"
import { busyShop } from "./harness/shopify.ts"
import { connectShop, layerShops, sendAs, startService, untilRead } from "./harness/shops.ts"
import { givenTenant, inside, type Tenant } from "./harness/tenants.ts"

const { domain } = busyShop

/** Ends every connection of the service, like a restart of the database. */
const cutOff = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cut = yield* sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'parley'`
  return cut.length
})

/** Longer than a delivery is tried for. */
const longerThanTries = 5 * 3_600_000

/** Waits until every delivery has arrived and all reported records are read. */
const caughtUp = (tenant: Tenant, id: StoreConnectionId) =>
  Effect.gen(function* () {
    const simulator = yield* StoreSimulator
    if (simulator.isUpToDate() && !simulator.isIdle()) {
      simulator.advance(longerThanTries)
      // The renewed access has expired by now. A second expiry directly after it would look as if the shop refused all
      // access.
      yield* Effect.sleep("2 seconds")
    }
    if (!simulator.isIdle()) return false
    const waiting = yield* (yield* InboundDeliveries).list("waiting", { limit: 1, after: null })
    return waiting.length === 0 && (yield* (yield* StaleRecords).oldestOf([id])).length === 0
  }).pipe(inside(tenant.organization), Effect.delay("50 millis"), Effect.repeat({ until: (is) => is }))

/** Visible data of the shop, except products that are deleted there. */
const shown = Effect.fnUntraced(function* (send: Send) {
  const { products, ...rest } = yield* shownBooks(send)
  return { ...rest, products: products.filter((row) => at(row, "status") !== "deleted") }
})

layer(layerShops({ ...busyShop, orders: 400 }), { excludeTestServices: true, timeout: "120 seconds" })(
  "a shop that goes on while its deliveries go wrong and the service is killed and cut off",
  (it) => {
    it.effect(
      "equals the shop's own records in the end, with one event per change",
      () =>
        Effect.gen(function* () {
          const simulator = yield* StoreSimulator
          const tenant = yield* givenTenant()
          const send = yield* sendAs(tenant)
          const add = (firstName: string) => simulator.act({ kind: "add_customer", shop: domain, firstName })
          const product = (title: string) => simulator.act({ kind: "add_product", shop: domain, title, price: 900 })
          const [customers, products] = [
            [add("Told"), add("Untold")],
            [product("Told"), product("Untold")]
          ]
          const orders = [1, 2].map(() => simulator.act({ kind: "buy", shop: domain, paid: true }))
          const remove = (place: number) => {
            const [customer = 0, order = 0, gone = 0] = [customers[place], orders[place], products[place]]
            simulator.act({ kind: "delete_customer", shop: domain, customer })
            simulator.act({ kind: "delete_order", shop: domain, order })
            simulator.act({ kind: "delete_product", shop: domain, product: gone })
          }

          // The first import: its answers fail in every way once, and then one never comes.
          for (const what of [
            { kind: "status", status: 503 },
            { kind: "throttled" },
            { kind: "reset", done: true },
            { kind: "truncate" }
          ] as const) {
            simulator.misbehave({ on: "graphql", name: "bulkOperationRunQuery", what })
          }
          const firstLife = yield* Scope.make()
          const first = yield* startService.pipe(Scope.provide(firstLife))
          const id = yield* connectShop(send, domain)
          const path = `/store_connections/${id}`
          simulator.misdeliver({ duplicates: 1, reverse: 3 })
          simulator.turns(domain, 15)
          yield* Effect.repeat(Effect.delay(send("GET", path), "20 millis"), {
            until: ({ body }) => at(body, "sync", "phase") !== "shop"
          })
          yield* Scope.close(firstLife, Exit.void)
          assert.strictEqual(yield* first.ended, "SIGKILL")
          simulator.turns(domain, 10)
          remove(0)
          simulator.behave()

          // Deliveries: doubled, reversed and late, to a service that is cut off and killed.
          const secondLife = yield* Scope.make()
          const second = yield* startService.pipe(Scope.provide(secondLife))
          assert.strictEqual(at((yield* untilRead(send, id)).body, "sync", "state"), "done")
          simulator.misdeliver({ duplicates: 2, reverse: 4, lateMillis: 40 })
          let cuts = 0
          for (let turn = 0; turn < 8; turn += 1) {
            simulator.turns(domain, 5)
            yield* Effect.sleep("30 millis")
            if (turn % 3 === 0) cuts += yield* cutOff
          }
          // Reports after this point never arrive.
          simulator.misdeliver({ lose: 1_000 })
          simulator.turns(domain, 10)
          remove(1)
          yield* Scope.close(secondLife, Exit.void)
          assert.strictEqual(yield* second.ended, "SIGKILL")
          simulator.behave()

          // Reconciliation, cut off in the middle.
          yield* startService
          yield* caughtUp(tenant, id)
          assert.notDeepEqual(yield* shown(send), expectedBooks(simulator.books(domain)))
          simulator.misbehave({ on: "graphql", times: 2, what: { kind: "reset", done: true } })
          const again = yield* send("POST", `${path}/sync`, { full: true })
          assertStatus(again, 202)
          cuts += yield* cutOff
          assert.isAbove(cuts, 1)
          assert.strictEqual(at((yield* untilRead(send, id, textAt(again, "id"))).body, "sync", "state"), "done")
          yield* caughtUp(tenant, id)

          const [is, ought] = [yield* shown(send), expectedBooks(simulator.books(domain))]
          for (const kind of ["customers", "products", "carts", "orders"] as const) {
            assert.deepStrictEqual(is[kind], ought[kind])
          }
          const result = yield* Effect.map(
            Effect.flatMap(EventLog, (log) => log.list(["order.created"], { after: null, limit: 1_000 })),
            (events) => events.map(({ event }) => at(event, "orderId"))
          ).pipe(inside(tenant.organization))
          assert.isAbove(result.length, 0)
          assert.strictEqual(new Set(result).size, result.length)
          assert.deepStrictEqual(
            yield* (yield* InboundDeliveries)
              .list("parked", { limit: 1, after: null })
              .pipe(inside(tenant.organization)),
            []
          )
        }).pipe(Effect.scoped),
      180_000
    )
  }
)
