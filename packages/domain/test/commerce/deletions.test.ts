import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EventLog, JobQueue } from "@parley/domain/platform"
import {
  startStoreAuthorization,
  type StoreConnection,
  type StorePlatform,
  StorePlatforms,
  StoreRefused,
  SyncSeenRecords,
  storesEventConsumers,
  syncStore
} from "@parley/domain/commerce"
import { asOperatorOf, codeChallenge, finishJourney, type Of, StoreScript } from "@parley/testkit"
import { Effect } from "effect"
import { at, cartRecord, customerRecord, orderRecord, productRecord } from "./given.ts"
import { test } from "./stage.ts"
import { givenStageWith, known, later, storeOf, work } from "./syncing.ts"

const allOrders = ["read_customers", "read_orders", "read_products", "read_all_orders"]

const day = 24 * 60

const ids = Array.from({ length: 5 }, (_, place) => String(place))

/** A shop with five records of each kind, which has been read. */
const givenRead = Effect.fnUntraced(function* (scopes: ReadonlyArray<string> = allOrders) {
  const stage = yield* givenStageWith(scopes)
  const { script, shop } = stage
  yield* script.put(shop, "products", ...ids.map((externalId) => productRecord({ externalId })))
  yield* script.put(
    shop,
    "customers",
    ...ids.map((externalId) => customerRecord({ externalId, email: null, phones: [] }))
  )
  yield* script.put(
    shop,
    "orders",
    ...ids.map((externalId) => orderRecord({ externalId, externalCustomerId: externalId }))
  )
  yield* script.put(shop, "carts", cartRecord())
  yield* work
  return stage
})

/** The shop deletes these records without a report. */
const removeSilently = Effect.fnUntraced(function* (
  shop: StoreConnection["shopDomain"],
  ...gone: ReadonlyArray<string>
) {
  const { remove } = yield* StoreScript
  for (const id of gone) {
    for (const kind of ["products", "customers", "orders"] as const) yield* remove(shop, kind, id)
  }
})

const left = Effect.fnUntraced(function* (organization: Of) {
  const { customers, orders, products } = yield* known(organization)
  const sold = Object.entries(products).flatMap(([id, reported]) =>
    Array.isArray(reported) && reported[1] !== "deleted" ? [id] : []
  )
  return {
    customers: Object.keys(customers).toSorted(),
    orders: Object.keys(orders).toSorted(),
    products: sold.toSorted()
  }
})

const only = (...kept: ReadonlyArray<string>) => ({ customers: kept, orders: kept, products: kept })

const forgotten = (organization: Of, { id }: StoreConnection) =>
  Effect.flatMap(SyncSeenRecords, (sightings) => transact(sightings.forget(id, 1_000))).pipe(asOperatorOf(organization))

const syncAll = (organization: Of, { id }: StoreConnection) =>
  Effect.andThen(syncStore({ id, full: true }).pipe(asOperatorOf(organization)), work)

const refused = new StoreRefused({ remedy: "reauthorize", code: "403", reason: "No.", retryAfterMillis: null })

describe("an unreported deletion", () => {
  test("is noticed within a week", () =>
    Effect.gen(function* () {
      const { connection, organization, shop } = yield* givenRead()
      assert.deepStrictEqual((yield* storeOf(organization, connection)).fullAsOf, at(0))
      yield* removeSilently(shop, "1", "3")
      yield* later(7 * day - 1)
      assert.deepStrictEqual(yield* left(organization), only(...ids))
      yield* later(1)
      assert.deepStrictEqual(yield* left(organization), only("0", "2", "4"))
      const store = yield* storeOf(organization, connection)
      assert.deepInclude(store, { fullAsOf: at(7 * day), lastError: null })
      assert.deepInclude(store.sync, { state: "done", phase: null })
      assert.strictEqual(yield* forgotten(organization, connection), 0)
      yield* later(7 * day)
      assert.deepInclude(yield* storeOf(organization, connection), { fullAsOf: at(14 * day) })
    }))

  test("of an order is not guessed where the shop does not show old ones", () =>
    Effect.gen(function* () {
      const { connection, organization, shop } = yield* givenRead(["read_customers", "read_orders", "read_products"])
      yield* removeSilently(shop, "1")
      yield* later(7 * day)
      const kept = ["0", "2", "3", "4"]
      assert.deepStrictEqual(yield* left(organization), { ...only(...kept), orders: ids })
      assert.strictEqual(yield* forgotten(organization, connection), 0)
    }))

  test("is noticed after the shop is connected again", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenRead()
      yield* script.revoke(shop)
      yield* removeSilently(shop, "0")
      yield* later(10)
      assert.deepInclude(yield* storeOf(organization, connection), { status: "error" })
      yield* Effect.gen(function* () {
        const begun = yield* startStoreAuthorization({ shop, codeChallenge })
        yield* finishJourney(begun.storeConnectionId, yield* script.agree(begun.authorizeUrl, allOrders))
      }).pipe(asOperatorOf(organization))
      yield* work
      assert.deepStrictEqual(yield* left(organization), only("1", "2", "3", "4"))
    }))

  test("is found in every step of an interrupted sync", () =>
    Effect.gen(function* () {
      for (let killed = 1; killed <= 24; killed += 1) {
        const { connection, organization, shop } = yield* givenRead()
        yield* later(1)
        yield* removeSilently(shop, "2")
        const queue = yield* JobQueue
        let steps = 0
        const dying = JobQueue.of({
          ...queue,
          advance: (lease, step) => {
            steps += 1
            return steps === killed ? Effect.die(new Error("The process has ended.")) : queue.advance(lease, step)
          }
        })
        yield* syncAll(organization, connection).pipe(Effect.provideService(JobQueue, dying))
        yield* later(1)
        assert.deepStrictEqual(yield* left(organization), only("0", "1", "3", "4"))
        assert.deepInclude((yield* storeOf(organization, connection)).sync, { state: "done" })
        assert.strictEqual(yield* forgotten(organization, connection), 0)
      }
    }))
})

describe("a sync of everything", () => {
  test("keeps every existing and newly reported record", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenRead()
      yield* later(1)
      const memory = yield* Effect.fromNullishOr((yield* StorePlatforms).get("shopify"))
      // An export that lacks what the shop has all the same.
      const partial: StorePlatform = {
        ...memory,
        export: (access, kind, checkpoint, since) =>
          Effect.map(memory.export(access, kind, checkpoint, since), (page) => ({
            ...page,
            records: page.records.filter(({ externalId }) => externalId !== "1" && externalId !== "new")
          }))
      }
      yield* script.put(shop, "orders", orderRecord({ externalId: "new", externalCustomerId: "1" }))
      yield* syncAll(organization, connection).pipe(
        Effect.provideService(StorePlatforms, new Map([["shopify", partial]]))
      )
      assert.deepStrictEqual(yield* left(organization), only(...ids))
      assert.strictEqual(yield* script.calls("read"), 3)
    }))

  test("stores no sightings if nothing can be missing", () =>
    Effect.gen(function* () {
      const sightings = yield* SyncSeenRecords
      let seen = 0
      const counting = SyncSeenRecords.of({
        ...sightings,
        see: (sought, externalIds) => {
          seen += externalIds.length
          return sightings.see(sought, externalIds)
        }
      })
      const { connection, organization } = yield* Effect.provideService(givenRead(), SyncSeenRecords, counting)
      assert.strictEqual(seen, 0)
      yield* later(1)
      yield* syncAll(organization, connection).pipe(Effect.provideService(SyncSeenRecords, counting))
      assert.strictEqual(seen, 15)
    }))

  test("that has failed is tried again after a day", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenRead()
      const react = Effect.gen(function* () {
        const events = yield* (yield* EventLog).list(["job.finished"], { after: null, limit: 100 })
        for (const { handle } of storesEventConsumers) yield* transact(handle(events))
      }).pipe(asOperatorOf(organization))
      yield* removeSilently(shop, "4")
      yield* script.next(new StoreRefused({ ...refused, remedy: "missing_scope" }), "export")
      yield* later(7 * day)
      yield* react
      assert.deepInclude((yield* storeOf(organization, connection)).sync, { state: "failed" })
      yield* later(day - 1)
      assert.deepStrictEqual(yield* left(organization), only(...ids))
      yield* later(2)
      assert.deepStrictEqual(yield* left(organization), only("0", "1", "2", "3"))
      assert.deepInclude((yield* storeOf(organization, connection)).sync, { state: "done" })
    }))
})
