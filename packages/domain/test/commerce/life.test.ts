import { assert, describe } from "@effect/vitest"
import {
  connectStore,
  receiveStoreDelivery,
  type StoreConnection,
  StoreConnections,
  StaleRecords,
  type StoreSignal,
  sweepPendingConnections,
  withShop
} from "@parley/domain/commerce"
import { processDueDeliveries } from "@parley/domain/composition"
import {
  asOperatorOf,
  codeChallenge,
  givenOrganization,
  givenShop,
  givenStore,
  type Of,
  StoreScript
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../crm/traces.ts"
import { test } from "./stage.ts"

const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const connection = yield* givenShop(organization)
  const script = yield* StoreScript
  const delivers = (shop: Pick<StoreConnection, "shopDomain">, ...signals: ReadonlyArray<StoreSignal>) =>
    Effect.andThen(
      receiveStoreDelivery({ path: ["shopify"], ...script.deliver(shop.shopDomain, "a topic", signals) }),
      processDueDeliveries
    )
  return { organization, connection, script, delivers }
})

const now = (organization: Of, { id }: Pick<StoreConnection, "id">) =>
  Effect.flatMap(StoreConnections, (connections) => connections.get(id)).pipe(asOperatorOf(organization))

const secretsOf = (organization: Of, { id }: Pick<StoreConnection, "id">) =>
  Effect.flatMap(StoreConnections, (connections) => connections.secrets(id)).pipe(asOperatorOf(organization))

const statusChanged = ({ id }: StoreConnection, from: string, to: string) => [
  { type: "store_connection.status_changed", storeConnectionId: id, from, to }
]

describe("the life of a store", () => {
  test("ends its access after the removal of the app, with one event", () =>
    Effect.gen(function* () {
      const { connection, delivers, organization } = yield* givenStage
      yield* TestClock.adjust("1 minute")
      const at = yield* DateTime.now
      const gone: StoreSignal = { kind: "uninstalled", at }
      const { events } = yield* traced(
        organization,
        Effect.andThen(delivers(connection, gone), delivers(connection, gone))
      )
      assert.deepStrictEqual(events, statusChanged(connection, "connected", "uninstalled"))
      const after = yield* now(organization, connection)
      assert.deepStrictEqual(after.uninstalledAt, at)
      assert.isNull(yield* secretsOf(organization, connection))
    }))

  test("ignores uninstalls from before the connection", () =>
    Effect.gen(function* () {
      const { connection, delivers, organization } = yield* givenStage
      const at = DateTime.subtract(connection.connectedAt ?? connection.createdAt, { seconds: 1 })
      const { events } = yield* traced(organization, delivers(connection, { kind: "uninstalled", at }))
      assert.deepStrictEqual(events, [])
      assert.isNotNull(yield* secretsOf(organization, connection))
    }))

  test("stops without a required scope and continues with it", () =>
    Effect.gen(function* () {
      const { connection, delivers, organization } = yield* givenStage
      const scopes = (...all: ReadonlyArray<string>): StoreSignal => ({ kind: "scopes_changed", scopes: all })
      const lost = yield* traced(organization, delivers(connection, scopes("read_orders", "read_products")))
      assert.deepStrictEqual(lost.events, statusChanged(connection, "connected", "error"))
      assert.strictEqual((yield* now(organization, connection)).lastError?.code, "scopes_missing")
      assert.isNotNull(yield* secretsOf(organization, connection))
      const all = ["write_customers", "read_orders", "read_products", "read_all_orders"]
      const regained = yield* traced(organization, delivers(connection, scopes(...all)))
      assert.deepStrictEqual(regained.events, statusChanged(connection, "error", "connected"))
      const after = yield* now(organization, connection)
      assert.deepStrictEqual([after.scopes, after.lastError], [all, null])
    }))

  test("is found by its former address after it was renamed", () =>
    Effect.gen(function* () {
      const { connection, delivers, organization, script } = yield* givenStage
      const { country, currency, id, name, shopDomain, shopId } = connection
      const renamed = `renamed-${id}.myshopify.com`
      yield* script.rename(shopDomain, renamed)
      const shop = { shopId: shopId ?? "", shopDomain: renamed, name, currency: currency ?? "EUR", country }
      const { events } = yield* traced(organization, delivers({ shopDomain: renamed }, { kind: "shop_changed", shop }))
      assert.deepStrictEqual(events, [{ type: "store_connection.updated", storeConnectionId: id }])
      assert.strictEqual((yield* now(organization, connection)).shopDomain, renamed)
      const used = yield* withShop(id, ({ access }) => Effect.succeed(access.shopDomain)).pipe(
        asOperatorOf(organization)
      )
      assert.strictEqual(used, renamed)
      yield* delivers({ shopDomain }, { kind: "changed", record: "orders", externalId: "1" })
      const marks = yield* (yield* StaleRecords).oldest(id, "orders", 10).pipe(asOperatorOf(organization))
      assert.lengthOf(marks, 1)
      const other = { ...shop, shopId: "another", name: "Another" }
      yield* delivers({ shopDomain: renamed }, { kind: "shop_changed", shop: other })
      assert.strictEqual((yield* now(organization, connection)).name, name)
    }))

  test("starts after authorization within a day, else not at all", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* connectStore({
        provider: "shopify",
        shopDomain: "late.myshopify.com",
        codeChallenge
      }).pipe(inside)
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual((yield* traced(organization, sweepPendingConnections.pipe(inside))).events, [])
      yield* TestClock.adjust("1 hour")
      const { events } = yield* traced(organization, sweepPendingConnections.pipe(inside))
      assert.deepStrictEqual(events, [{ type: "store_connection.removed", storeConnectionId: id }])
      assert.strictEqual((yield* Effect.flip(now(organization, { id })))._tag, "NotFound")
    }))

  test("is not begun for ever, however many others are", () =>
    Effect.gen(function* () {
      const { organization } = yield* givenStage
      const { id } = yield* givenStore(organization, { status: "pending" })
      yield* TestClock.adjust("1 day")
      yield* Effect.replicateEffect(givenStore(organization, { status: "pending" }), 100)
      yield* sweepPendingConnections.pipe(asOperatorOf(organization))
      assert.strictEqual((yield* Effect.flip(now(organization, { id })))._tag, "NotFound")
    }))
})
