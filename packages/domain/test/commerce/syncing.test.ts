import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EventLog, getJob, JobQueue } from "@parley/domain/platform"
import { createContact, getContact } from "@parley/domain/crm"
import {
  listStoreCustomers,
  markStale,
  receiveCarts,
  receiveOrders,
  receiveStoreDelivery,
  type StorePlatform,
  StorePlatforms,
  StoreRefused,
  storesEventConsumers,
  StoreUnreachable,
  syncStore,
  updateStoreConnection
} from "@parley/domain/commerce"
import { processDueDeliveries } from "@parley/domain/composition"
import { asOperatorOf, type Of, StoreScript } from "@parley/testkit"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf } from "../crm/traces.ts"
import { at, cartRecord, customerRecord, dawn, orderRecord, productRecord } from "./given.ts"
import { test } from "./stage.ts"
import { givenStage, known, later, storeOf, work } from "./syncing.ts"

const ids = Array.from({ length: 7 }, (_, place) => String(place))

/** Seven records of each kind: four pages of the platform in memory. */
const fill = (shop: Parameters<StoreScript["Service"]["put"]>[0]) =>
  Effect.gen(function* () {
    const { put } = yield* StoreScript
    yield* put(shop, "products", ...ids.map((externalId) => productRecord({ externalId })))
    yield* put(shop, "customers", ...ids.map((externalId) => customerRecord({ externalId, email: null, phones: [] })))
    yield* put(shop, "orders", ...ids.map((externalId) => orderRecord({ externalId, externalCustomerId: externalId })))
    yield* put(shop, "carts", ...ids.map((externalId) => cartRecord({ externalId, token: null })))
  })

const everything = {
  orders: Object.fromEntries(ids.map((id) => [id, ["#1001", "pending"]])),
  customers: Object.fromEntries(ids.map((id) => [id, ["Ada Lovelace", null]])),
  carts: Object.fromEntries(ids.map((id) => [id, "active"])),
  products: Object.fromEntries(ids.map((id) => [id, ["Sourdough", "active"]]))
}

const typesOf = (organization: Of, pattern: RegExp) =>
  Effect.map(eventsOf(organization), (events) => events.map(({ type }) => type).filter((type) => pattern.test(type)))

describe("the first import of a store", () => {
  test("starts automatically and ends with all records of the shop", () =>
    Effect.gen(function* () {
      const { connection, organization, shop } = yield* givenStage
      yield* fill(shop)
      assert.deepInclude(yield* storeOf(organization, connection), { asOf: null, lastSyncedAt: null })
      yield* work
      assert.deepStrictEqual(yield* known(organization), everything)
      const store = yield* storeOf(organization, connection)
      assert.deepInclude(store, { asOf: at(0), lastSyncedAt: at(0), lastError: null, version: connection.version })
      assert.deepInclude(store.sync, { state: "done", phase: null, progress: { done: 28, total: 28 } })
      assert.deepStrictEqual(yield* typesOf(organization, /synced|order\./u), [
        "order.created",
        "order.created",
        "order.created",
        "order.created",
        "order.created",
        "order.created",
        "order.created",
        "store_connection.synced"
      ])
    }))

  test("continues after an interruption in every step", () =>
    Effect.gen(function* () {
      for (let killed = 1; killed <= 20; killed += 3) {
        const { connection, organization, shop } = yield* givenStage
        yield* fill(shop)
        const queue = yield* JobQueue
        let steps = 0
        const dying = JobQueue.of({
          ...queue,
          advance: (lease, step) => {
            steps += 1
            return steps === killed ? Effect.die(new Error("The process has ended.")) : queue.advance(lease, step)
          }
        })
        yield* work.pipe(Effect.provideService(JobQueue, dying))
        yield* later(1)
        assert.deepStrictEqual(yield* known(organization), everything)
        const { sync } = yield* storeOf(organization, connection)
        assert.deepInclude(sync, { state: "done", progress: { done: 28, total: 28 } })
        assert.lengthOf(yield* typesOf(organization, /order\.created/u), 7)
      }
    }))

  test("waits while the shop is unavailable or busy, and reports it", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* fill(shop)
      yield* script.next(new StoreUnreachable(), "export")
      yield* work
      const away = yield* storeOf(organization, connection)
      assert.deepInclude({ ...away.lastError }, { code: "unreachable" })
      assert.deepInclude(away.sync, { state: "running", phase: "products" })
      const busy = { remedy: "slow_down", code: "THROTTLED", reason: "Slow down.", retryAfterMillis: 90_000 } as const
      yield* script.next(new StoreRefused(busy), "export")
      yield* later(1)
      assert.deepInclude({ ...(yield* storeOf(organization, connection)).lastError }, { code: "throttled" })
      yield* later(1)
      assert.deepInclude({ ...(yield* storeOf(organization, connection)).lastError }, { code: "throttled" })
      yield* later(1)
      assert.deepInclude(yield* storeOf(organization, connection), { lastError: null })
      assert.deepStrictEqual(yield* known(organization), everything)
    }))

  test("asks a shop that makes what is read again soon, and then less and less often", () =>
    Effect.gen(function* () {
      const { organization, shop } = yield* givenStage
      yield* fill(shop)
      const memory = yield* Effect.fromNullishOr((yield* StorePlatforms).get("shopify"))
      const asked: Array<number> = []
      const slow: StorePlatform = {
        ...memory,
        export: (access, kind, checkpoint, since) =>
          kind === "products" && asked.length < 8
            ? Effect.map(DateTime.now, (now) => {
                asked.push(DateTime.toEpochMillis(now) - DateTime.toEpochMillis(dawn))
                return { records: [], unreadable: [], checkpoint: "making", total: null }
              })
            : memory.export(access, kind, checkpoint === "making" ? null : checkpoint, since)
      }
      const step = Effect.andThen(TestClock.adjust("250 millis"), work)
      yield* Effect.andThen(work, Effect.replicateEffect(step, 250, { discard: true })).pipe(
        Effect.provideService(StorePlatforms, new Map([["shopify", slow]]))
      )
      assert.deepStrictEqual(asked, [0, 250, 750, 1_750, 3_750, 7_750, 15_750, 31_750])
      assert.deepStrictEqual(yield* known(organization), everything)
    }))

  test("asks a shop again as soon as it reports the end of an export, but not during a wait after a failure", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* fill(shop)
      const memory = yield* Effect.fromNullishOr((yield* StorePlatforms).get("shopify"))
      let isMaking = true
      const slow: StorePlatform = {
        ...memory,
        export: (access, kind, checkpoint, since) =>
          isMaking
            ? Effect.succeed({ records: [], unreadable: [], checkpoint: "making", total: null })
            : memory.export(access, kind, checkpoint === "making" ? null : checkpoint, since)
      }
      const report = Effect.andThen(
        receiveStoreDelivery({
          path: ["shopify"],
          ...script.deliver(shop, "bulk_operations/finish", [{ kind: "export_finished" }])
        }),
        processDueDeliveries
      )
      yield* Effect.gen(function* () {
        yield* work
        isMaking = false
        yield* work
        assert.deepStrictEqual((yield* known(organization)).products, {})
        yield* script.next(new StoreUnreachable(), "export")
        yield* Effect.andThen(report, work)
        assert.deepInclude({ ...(yield* storeOf(organization, connection)).lastError }, { code: "unreachable" })
        yield* Effect.andThen(report, work)
        assert.deepStrictEqual((yield* known(organization)).products, {})
        yield* later(1)
      }).pipe(Effect.provideService(StorePlatforms, new Map([["shopify", slow]])))
      assert.deepStrictEqual(yield* known(organization), everything)
    }))

  test("restarts a kind after a failed export, with a limit", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* fill(shop)
      const failed = {
        remedy: "give_up",
        code: "FAILED",
        reason: "The export failed.",
        retryAfterMillis: null
      } as const
      yield* script.next(new StoreRefused(failed), "export")
      yield* work
      yield* later(1)
      assert.deepStrictEqual(yield* known(organization), everything)
      const { id: jobId } = yield* syncStore({ id: connection.id, full: true }).pipe(asOperatorOf(organization))
      for (let turn = 0; turn < 6; turn += 1) yield* script.next(new StoreRefused(failed), "export")
      yield* work
      for (let minute = 0; minute < 6; minute += 1) yield* later(1)
      assert.deepInclude(yield* getJob({ id: jobId }).pipe(asOperatorOf(organization)), { state: "failed" })
    }))

  test("restarts after a failure with growing delays", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* fill(shop)
      const failed = { remedy: "give_up", code: "FAILED", reason: "It failed.", retryAfterMillis: null } as const
      const willFail = Effect.replicateEffect(script.next(new StoreRefused(failed), "export"), 6, { discard: true })
      const react = Effect.gen(function* () {
        const events = yield* (yield* EventLog).list(["job.finished"], { after: null, limit: 100 })
        for (const { handle } of storesEventConsumers) yield* transact(handle(events))
      }).pipe(asOperatorOf(organization))
      const begins: Array<number> = []
      yield* willFail
      let [isRunning, isRead] = [false, false]
      for (let minute = 0; minute <= 100 && !isRead; minute += 1) {
        yield* minute === 0 ? work : later(1)
        yield* react
        const { sync } = yield* storeOf(organization, connection)
        if (sync.state === "running" && !isRunning) begins.push(minute)
        if (sync.state === "failed" && isRunning && begins.length < 3) yield* willFail
        isRunning = sync.state === "running"
        isRead = sync.state === "done"
        if (isRead) begins.push(minute)
      }
      assert.deepStrictEqual(begins, [0, 15, 40, 90])
      assert.deepStrictEqual((yield* known(organization)).orders, everything.orders)
    }))

  test("is one at a time, and none of a store that is not connected", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* work
      const again = syncStore({ id: connection.id }).pipe(asOperatorOf(organization))
      const first = yield* again
      assert.strictEqual((yield* again).id, first.id)
      yield* work
      assert.notStrictEqual((yield* again).id, first.id)
      yield* script.revoke(shop)
      yield* work
      assert.deepInclude(yield* storeOf(organization, connection), { status: "error" })
      assert.deepInclude({ ...(yield* Effect.flip(again)) }, { _tag: "StoreNotConnected", storeStatus: "error" })
    }))
})

describe("a store that is connected", () => {
  test("polls for unreported changes every ten minutes", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* work
      yield* script.put(shop, "orders", orderRecord({ updatedAt: at(1) }))
      yield* later(9)
      assert.deepStrictEqual((yield* known(organization)).orders, {})
      yield* later(1)
      assert.deepStrictEqual((yield* known(organization)).orders, { o1: ["#1001", "pending"] })
      assert.deepInclude(yield* storeOf(organization, connection), { asOf: at(10), lastSyncedAt: at(10) })
      assert.strictEqual(yield* script.calls("subscribe"), 2)
      for (let pass = 0; pass < 5; pass += 1) yield* later(10)
      assert.strictEqual(yield* script.calls("subscribe"), 3)
    }))

  test("reads reported changes directly", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* script.put(shop, "customers", customerRecord({ externalId: "gone" }))
      yield* work
      yield* script.put(shop, "orders", orderRecord({ paymentStatus: "paid" }))
      yield* script.remove(shop, "customers", "gone")
      yield* markStale(connection.id, [
        { kind: "orders", externalId: "o1" },
        { kind: "customers", externalId: "gone" }
      ]).pipe(asOperatorOf(organization))
      yield* work
      assert.deepInclude(yield* known(organization), { orders: { o1: ["#1001", "paid"] }, customers: {} })
      assert.strictEqual(yield* script.calls("read"), 2)
    }))

  test("is retried after 1, 2 and 4 s plus jitter, and shows no error after the next answer", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* work
      yield* script.put(shop, "orders", orderRecord())
      const throttled = {
        remedy: "slow_down",
        code: "THROTTLED",
        reason: "Slow down.",
        retryAfterMillis: 10_000
      } as const
      const failures = [
        new StoreUnreachable(),
        new StoreUnreachable(),
        new StoreUnreachable(),
        new StoreRefused(throttled)
      ]
      for (const failure of failures) yield* script.next(failure, "read")
      yield* markStale(connection.id, [{ kind: "orders", externalId: "o1" }]).pipe(asOperatorOf(organization))
      const reads = script.calls("read")
      const errorCode = Effect.map(storeOf(organization, connection), ({ lastError }) => lastError?.code ?? null)
      yield* work
      // The fourth failure specifies a wait that exceeds the regular one.
      for (const [place, { code, seconds }] of [
        { code: "unreachable", seconds: 1 },
        { code: "unreachable", seconds: 2 },
        { code: "unreachable", seconds: 4 },
        { code: "throttled", seconds: 10 }
      ].entries()) {
        assert.strictEqual(yield* errorCode, code)
        assert.strictEqual(yield* reads, place + 1)
        yield* TestClock.adjust(seconds * 1_000 - 1)
        // A delivery during the wait does not shorten it.
        yield* markStale(connection.id, [{ kind: "orders", externalId: "o1" }]).pipe(asOperatorOf(organization))
        yield* work
        assert.strictEqual(yield* reads, place + 1)
        yield* TestClock.adjust(2_001)
        yield* work
      }
      assert.deepStrictEqual((yield* known(organization)).orders, { o1: ["#1001", "pending"] })
      assert.deepInclude(yield* storeOf(organization, connection), { lastError: null, retry: null })
    }))

  test("waits at most five minutes plus jitter after any number of failures", () =>
    Effect.gen(function* () {
      const { connection, organization, script, shop } = yield* givenStage
      yield* work
      yield* script.put(shop, "orders", orderRecord())
      yield* markStale(connection.id, [{ kind: "orders", externalId: "o1" }]).pipe(asOperatorOf(organization))
      for (let failure = 0; failure < 14; failure += 1) {
        yield* script.next(new StoreUnreachable(), "read")
        yield* work
        const { retry } = yield* storeOf(organization, connection)
        const wait = DateTime.distance(yield* DateTime.now, retry?.at ?? dawn)
        assert.isAtLeast(Duration.toSeconds(wait), Math.min(2 ** failure, 300))
        assert.isBelow(Duration.toSeconds(wait), Math.min(2 ** failure, 300) * 1.25)
        yield* TestClock.adjust(wait)
      }
    }))
})

describe("customers who are known", () => {
  test("are made contacts once that is wanted", () =>
    Effect.gen(function* () {
      const { connection, organization, shop } = yield* givenStage
      const { put } = yield* StoreScript
      yield* put(shop, "customers", customerRecord(), customerRecord({ externalId: "c2", phones: [], email: null }))
      yield* work
      const links = Effect.map(
        listStoreCustomers({
          storeConnectionId: connection.id,
          contactId: null,
          updatedSince: null,
          q: null,
          page: { limit: 9, cursor: null }
        }),
        ({ data }) => data.map(({ externalId, linkedBy }) => [externalId, linkedBy])
      ).pipe(asOperatorOf(organization))
      assert.sameDeepMembers(yield* links, [
        ["c1", null],
        ["c2", null]
      ])
      yield* updateStoreConnection({ id: connection.id, makeContacts: "reachable", ifVersion: null }).pipe(
        asOperatorOf(organization)
      )
      yield* work
      assert.sameDeepMembers(yield* links, [
        ["c1", "made"],
        ["c2", null]
      ])
    }))
})

describe("consent of customers with contacts", () => {
  test("is taken once that is wanted", () =>
    Effect.gen(function* () {
      const { connection, organization, shop } = yield* givenStage
      const { put } = yield* StoreScript
      const contact = yield* createContact({ name: "Ada", phone: "+491701234567" }).pipe(asOperatorOf(organization))
      const consent = Effect.map(getContact({ id: contact.id }), (found) => found.consent).pipe(
        asOperatorOf(organization)
      )
      yield* put(shop, "customers", customerRecord({ smsConsent: { state: "subscribed", at: at(-5) } }))
      yield* work
      assert.deepInclude(yield* consent, { marketing: "unknown" })
      yield* updateStoreConnection({ id: connection.id, takeConsent: true, ifVersion: null }).pipe(
        asOperatorOf(organization)
      )
      yield* work
      assert.deepStrictEqual(yield* consent, { marketing: "subscribed", source: "shopify", changedAt: at(-5) })
    }))
})

describe("carts", () => {
  const abandoned = (organization: Of) => Effect.map(typesOf(organization, /^cart\./u), (types) => types)

  test("are abandoned after the set minutes, told once a day, and end after thirty days", () =>
    Effect.gen(function* () {
      const { connection, organization } = yield* givenStage
      yield* work
      const result = (minutes: number) =>
        receiveCarts(connection, [cartRecord({ updatedAt: at(minutes) })]).pipe(asOperatorOf(organization))
      yield* result(1)
      yield* later(60)
      assert.deepStrictEqual((yield* known(organization)).carts, { k1: "active" })
      yield* later(1)
      assert.deepStrictEqual((yield* known(organization)).carts, { k1: "abandoned" })
      yield* result(62)
      assert.deepStrictEqual((yield* known(organization)).carts, { k1: "active" })
      for (let hour = 0; hour < 2; hour += 1) yield* later(60)
      assert.deepStrictEqual((yield* known(organization)).carts, { k1: "abandoned" })
      assert.deepStrictEqual(yield* abandoned(organization), ["cart.abandoned"])
      for (let day = 0; day < 31; day += 1) yield* later(1_440)
      assert.deepStrictEqual((yield* known(organization)).carts, { k1: "expired" })
    }))

  test("are abandoned in time, also if the shop reports late", () =>
    Effect.gen(function* () {
      const { connection, organization } = yield* givenStage
      yield* later(120)
      const result = (externalId: string, minutes: number) =>
        receiveCarts(connection, [cartRecord({ externalId, token: null, updatedAt: at(minutes) })]).pipe(
          asOperatorOf(organization)
        )
      yield* result("late", 30)
      yield* result("soon", 62)
      yield* later(0)
      assert.deepStrictEqual((yield* known(organization)).carts, { late: "abandoned", soon: "active" })
      yield* later(2)
      assert.deepStrictEqual((yield* known(organization)).carts, { late: "abandoned", soon: "abandoned" })
    }))

  test("are not abandoned if unreachable, empty or followed by an order", () =>
    Effect.gen(function* () {
      const { connection, organization } = yield* givenStage
      yield* work
      yield* receiveCarts(connection, [
        cartRecord({ externalId: "nobody", token: null, phone: null }),
        cartRecord({ externalId: "empty", token: null, lines: [] }),
        cartRecord({ externalId: "ordered", token: null, externalCustomerId: "c1" }),
        cartRecord({ externalId: "left", token: "t9", externalCustomerId: "c2" })
      ]).pipe(asOperatorOf(organization))
      yield* receiveOrders(connection, [orderRecord({ placedAt: at(5) })]).pipe(asOperatorOf(organization))
      yield* later(61)
      const { carts } = yield* known(organization)
      assert.deepStrictEqual(carts, { nobody: "active", empty: "active", ordered: "active", left: "abandoned" })
      const order = orderRecord({ externalId: "o9", checkoutToken: "t9", externalCustomerId: "c2", placedAt: at(70) })
      yield* receiveOrders(connection, [order]).pipe(asOperatorOf(organization))
      assert.deepInclude((yield* known(organization)).carts, { left: "recovered" })
      assert.deepStrictEqual(yield* abandoned(organization), ["cart.abandoned", "cart.recovered"])
    }))
})
