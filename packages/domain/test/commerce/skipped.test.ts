import { assert, describe } from "@effect/vitest"
import {
  getStoreConnection,
  listSkippedRecords,
  markStale,
  receiveSignals,
  type RecordKind,
  type StoreConnection,
  syncStore
} from "@parley/domain/commerce"
import { asOperatorOf, type Of, StoreScript } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, cartRecord, customerRecord, orderRecord, productRecord } from "./given.ts"
import { test } from "./stage.ts"
import { givenStage, givenStageWith, known, later, storeOf, work } from "./syncing.ts"

const kinds: ReadonlyArray<RecordKind> = ["carts", "customers", "orders", "products"]

const fill = (shop: Parameters<StoreScript["Service"]["put"]>[0]) =>
  Effect.gen(function* () {
    const { put } = yield* StoreScript
    for (const externalId of ["1", "2"]) {
      yield* put(shop, "products", productRecord({ externalId }))
      yield* put(shop, "customers", customerRecord({ externalId, email: null, phones: [] }))
      yield* put(shop, "orders", orderRecord({ externalId, externalCustomerId: externalId }))
      yield* put(shop, "carts", cartRecord({ externalId, token: null }))
    }
  })

const skippedOf = (organization: Of, { id }: Pick<StoreConnection, "id">) =>
  Effect.gen(function* () {
    const { data } = yield* listSkippedRecords({ id, page: { limit: 100, cursor: null } })
    const { skippedRecords } = yield* getStoreConnection({ id })
    assert.strictEqual(skippedRecords, data.length)
    return data.map(({ externalId, kind }) => `${kind} ${externalId}`)
  }).pipe(asOperatorOf(organization))

const countsOf = (organization: Of) =>
  Effect.map(known(organization), (found) =>
    [found.carts, found.customers, found.orders, found.products].map((rows) => Object.keys(rows).length)
  )

/** A synced shop with one unreadable record of each kind. */
const givenSkipped = Effect.gen(function* () {
  const stage = yield* givenStageWith(["read_customers", "read_orders", "read_products", "read_all_orders"])
  yield* fill(stage.shop)
  for (const kind of kinds) yield* stage.script.setReadable(stage.shop, kind, "2", false)
  yield* work
  return stage
})

describe("records that cannot be read", () => {
  test("are counted and listed with their reason, and block no other record", () =>
    Effect.gen(function* () {
      const { connection, organization } = yield* givenSkipped
      assert.deepStrictEqual(yield* skippedOf(organization, connection), [
        "carts 2",
        "customers 2",
        "orders 2",
        "products 2"
      ])
      assert.deepStrictEqual(yield* countsOf(organization), [1, 1, 1, 1])
      const { data } = yield* listSkippedRecords({ id: connection.id, page: { limit: 1, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepInclude({ ...data[0] }, { kind: "carts", externalId: "2", reason: "No readable value: updatedAt" })
      assert.deepInclude((yield* storeOf(organization, connection)).sync, { state: "done" })
    }))

  test("are listed once, however often they are read", () =>
    Effect.gen(function* () {
      const { connection, organization } = yield* givenSkipped
      yield* markStale(connection.id, [{ kind: "orders", externalId: "2" }]).pipe(asOperatorOf(organization))
      yield* later(10)
      yield* later(10)
      assert.lengthOf(yield* skippedOf(organization, connection), 4)
    }))

  test("leave the list after the shop reports a change that makes them readable", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenSkipped
      yield* script.setReadable(shop, "orders", "2", true)
      yield* markStale(connection.id, [{ kind: "orders", externalId: "2" }]).pipe(asOperatorOf(organization))
      yield* work
      assert.deepStrictEqual(yield* skippedOf(organization, connection), ["carts 2", "customers 2", "products 2"])
      assert.deepStrictEqual(yield* countsOf(organization), [1, 1, 2, 1])
    }))

  test("are read again after an upgrade, once for each version", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenSkipped
      for (const kind of ["carts", "customers", "products"] as const) yield* script.setReadable(shop, kind, "2", true)
      yield* later(1)
      assert.lengthOf(yield* skippedOf(organization, connection), 4)
      yield* script.upgrade("2")
      yield* later(10)
      assert.deepStrictEqual(yield* skippedOf(organization, connection), ["orders 2"])
      assert.deepStrictEqual(yield* countsOf(organization), [2, 2, 1, 2])
      const reads = yield* script.calls("read")
      yield* later(10)
      assert.strictEqual(yield* script.calls("read"), reads)
    }))

  test("are read again with a full sync, and leave the list when the shop has deleted them", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenSkipped
      yield* script.setReadable(shop, "products", "2", true)
      yield* script.remove(shop, "orders", "2")
      yield* script.remove(shop, "carts", "2")
      yield* TestClock.adjust("1 minute")
      yield* syncStore({ id: connection.id, full: true }).pipe(asOperatorOf(organization))
      yield* work
      yield* later(1)
      assert.deepStrictEqual(yield* skippedOf(organization, connection), ["customers 2"])
    }))

  test("are not treated as deleted by a full sync", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStageWith([
        "read_customers",
        "read_orders",
        "read_products",
        "read_all_orders"
      ])
      yield* fill(shop)
      yield* work
      yield* script.setReadable(shop, "orders", "2", false)
      yield* TestClock.adjust("1 minute")
      yield* syncStore({ id: connection.id, full: true }).pipe(asOperatorOf(organization))
      yield* work
      yield* later(1)
      assert.deepStrictEqual(yield* skippedOf(organization, connection), ["orders 2"])
      assert.deepStrictEqual(yield* countsOf(organization), [2, 2, 2, 2])
    }))

  test("in a delivery are requested, and stay listed until the shop returns a readable version", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* work
      yield* script.put(shop, "carts", cartRecord({ externalId: "9", token: null, updatedAt: at(0) }))
      const signal = {
        kind: "unreadable",
        record: "carts",
        externalId: "9",
        reason: "No readable value: total_price"
      } as const
      yield* receiveSignals(connection, [signal]).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* skippedOf(organization, connection), ["carts 9"])
      yield* work
      assert.deepStrictEqual(yield* skippedOf(organization, connection), [])
      assert.deepStrictEqual((yield* known(organization)).carts, { 9: "active" })
    }))
})
