import { assert, describe, it } from "@effect/vitest"
import type { ExportedPage, RecordKind, ShopAccess, StoreRecords } from "@parley/domain/commerce"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect } from "effect"
import { connect, domain, platform, shop, simulated } from "./simulated.ts"

/** All pages from a checkpoint on, as long as there are more. */
const pagesFrom = <Kind extends RecordKind>(access: ShopAccess, kind: Kind, from: string | null) =>
  Effect.gen(function* () {
    const exported = (yield* platform).export
    const pages: Array<ExportedPage<Kind>> = []
    let checkpoint = from
    do {
      const page: ExportedPage<Kind> = yield* exported(access, kind, checkpoint, null)
      pages.push(page)
      checkpoint = page.checkpoint
    } while (checkpoint !== null)
    return pages
  })

const recordsOf = <Kind extends RecordKind>(
  pages: ReadonlyArray<ExportedPage<Kind>>
): ReadonlyArray<StoreRecords[Kind]> => pages.flatMap(({ records }) => records)

const books = Effect.map(StoreSimulator, (simulator) => simulator.books(domain))

describe("An export", () => {
  it.live("comes in parts of a bounded size, and stays what it was when it was begun", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const before = [...(yield* books).orders()]
      const exported = (yield* platform).export
      const begun = yield* exported(access, "orders", null, null)
      const first = yield* exported(access, "orders", begun.checkpoint, null)
      assert.strictEqual(first.total, before.length)
      simulator.turns(domain, 50)
      simulator.act({ kind: "delete_order", shop: domain, order: Number(before.at(-1)?.externalId) })
      const rest = yield* pagesFrom(access, "orders", first.checkpoint)
      const found = [...first.records, ...recordsOf(rest)]
      assert.deepStrictEqual(
        found.map(({ externalId }) => externalId),
        before.map(({ externalId }) => externalId)
      )
      assert.isAbove(rest.length, 2)
      for (const { records } of rest) assert.isBelow(records.length, 600)
    }).pipe(
      Effect.provide(
        simulated({ bulkMillis: 0, shops: [{ ...shop, orders: 2_000 }] }, { furtherScopes: ["read_all_orders"] })
      )
    )
  )

  it.live("has records that are longer than a part, and no more of them than is kept", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const product = String(
        simulator.act({ kind: "add_product", shop: domain, title: "Many", price: 100, variants: 5_000 })
      )
      const items = Array.from({ length: 700 }, () => ({ product: Number(product) }))
      const order = String(simulator.act({ kind: "buy", shop: domain, items }))
      const products = recordsOf(yield* pagesFrom(access, "products", null))
      const orders = recordsOf(yield* pagesFrom(access, "orders", null))
      const big = orders.find(({ externalId }) => externalId === order)
      assert.lengthOf(products.find(({ externalId }) => externalId === product)?.variants ?? [], 2_000)
      assert.lengthOf(big?.lines ?? [], 500)
      assert.isTrue(big?.truncated)
      // Read by its id, it is the same.
      const { read } = yield* platform
      assert.deepStrictEqual((yield* read(access, "orders", [order])).records, [big])
      assert.deepStrictEqual(
        (yield* read(access, "products", [product])).records,
        products.filter(({ externalId }) => externalId === product)
      )
    }).pipe(Effect.provide(simulated({ bulkMillis: 0 })))
  )

  it.live("restarts after a failure, with a limit", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const fail = (times: number) =>
        simulator.misbehave({
          on: "graphql",
          name: "bulkOperationRunQuery",
          times,
          what: { kind: "bulk_failure", code: "TIMEOUT" }
        })
      const expected = [...(yield* books).customers()]
      fail(2)
      assert.deepStrictEqual(recordsOf(yield* pagesFrom(access, "customers", null)), expected)
      fail(3)
      assert.include(yield* Effect.flip(pagesFrom(access, "customers", null)), {
        _tag: "StoreRefused",
        remedy: "retry",
        code: "TIMEOUT"
      })
    }).pipe(Effect.provide(simulated({ bulkMillis: 0 })))
  )

  it.live("restarts when its file is gone, and repeats a failed download", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const expected = [...(yield* books).carts()]
      const exported = (yield* platform).export
      const { checkpoint } = yield* exported(access, "carts", null, null)
      for (const kind of ["reset", "truncate"] as const) {
        simulator.misbehave({ on: "file", what: { kind } })
        assert.strictEqual((yield* Effect.flip(exported(access, "carts", checkpoint, null)))._tag, "StoreUnreachable")
      }
      simulator.misbehave({ on: "file", what: { kind: "status", status: 404 } })
      assert.deepStrictEqual(recordsOf(yield* pagesFrom(access, "carts", checkpoint)), expected)
    }).pipe(Effect.provide(simulated({ bulkMillis: 0 })))
  )
})

describe("A pass over changes", () => {
  it.live("loses nothing that changes while it is read", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { changedSince } = yield* platform
      const [oldest] = [...(yield* books).orders()]
      const since = yield* Effect.fromNullishOr(oldest?.updatedAt)
      const held = new Map<string, unknown>()
      let checkpoint: string | null = null
      do {
        const page: ExportedPage<"orders"> = yield* changedSince(access, "orders", since, checkpoint)
        for (const record of page.records) held.set(record.externalId, record)
        checkpoint = page.checkpoint
        // Orders ahead and behind move to the end of the list.
        if (held.size < 40) simulator.turns(domain, 3)
      } while (checkpoint !== null)
      for (const order of (yield* books).orders()) assert.deepStrictEqual(held.get(order.externalId), order)
    }).pipe(Effect.provide(simulated()))
  )

  it.live("restarts its list before the provider ends it", () =>
    Effect.gen(function* () {
      const { access } = yield* connect()
      const { changedSince } = yield* platform
      const [first] = (yield* books).customers().take(1)
      const since = yield* Effect.fromNullishOr(first?.updatedAt)
      const seen = new Set<string>()
      let checkpoint: string | null = null
      do {
        const page: ExportedPage<"customers"> = yield* changedSince(access, "customers", since, checkpoint)
        for (const { externalId } of page.records) seen.add(externalId)
        checkpoint = page.checkpoint
      } while (checkpoint !== null)
      assert.strictEqual(seen.size, 22_000)
    }).pipe(
      Effect.provide(
        simulated({ shops: [{ ...shop, customers: 22_000, points: 1_000_000, pointsPerSecond: 1_000_000 }] })
      )
    )
  )
})
