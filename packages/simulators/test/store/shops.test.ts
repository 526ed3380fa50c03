import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, domain, query, simulator, small } from "./harness.ts"

const shownOf = (running: Effect.Success<ReturnType<typeof simulator>>) => {
  const books = running.books(domain)
  return JSON.stringify([[...books.customers()], [...books.orders()], [...books.products()], [...books.carts()]])
}

describe("The simulated shops", () => {
  it.live("are equal for an equal seed, including automatic changes by people", () =>
    Effect.gen(function* () {
      const [one, two, other] = yield* Effect.all([
        simulator(),
        simulator(),
        simulator({ shops: [{ ...small, seed: "grace" }] })
      ])
      assert.strictEqual(shownOf(one), shownOf(two))
      assert.notStrictEqual(shownOf(one), shownOf(other))
      one.turns(domain, 50)
      two.turns(domain, 50)
      assert.strictEqual(shownOf(one), shownOf(two))
    })
  )

  it.live("have a million orders that are made when they are looked at", () =>
    Effect.gen(function* () {
      const running = yield* simulator({ shops: [{ ...small, orders: 1_000_000, customers: 100_000 }] })
      const { access } = yield* connect(running, "read_orders,read_all_orders")
      const last = yield* query(
        running,
        access,
        `{ orders(first: 2, sortKey: UPDATED_AT, query: "updated_at:>='2026-05-28T19:26:10Z'") { nodes { name } pageInfo { hasNextPage } } }`
      )
      assert.deepStrictEqual(last.body["data"], { orders: { nodes: [], pageInfo: { hasNextPage: false } } })
      const id = running.act({ kind: "buy", shop: domain })
      const { body } = yield* query(
        running,
        access,
        `{ node(id: "gid://shopify/Order/${id}") { ... on Order { name } } }`
      )
      assert.deepStrictEqual(body["data"], { node: { name: "#1001001" } })
      const first = running.books(domain).orders().take(3)
      assert.deepStrictEqual(
        [...first].map(({ name }) => name),
        ["#1001", "#1002", "#1003"]
      )
    })
  )

  it.live("hide orders of more than sixty days without the scope for all orders", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const count = (access: string) =>
        Effect.map(
          query(running, access, "{ orders(first: 100) { nodes { name } } }"),
          ({ body }) => JSON.stringify(body).match(/"name"/gu)?.length
        )
      const { access } = yield* connect(running)
      assert.strictEqual(yield* count(access), 6)
      const all = yield* connect(running, "read_orders,read_all_orders")
      assert.strictEqual(yield* count(all.access), 40)
    })
  )

  it.live("charge the requested cost and report the rest", () =>
    Effect.gen(function* () {
      const running = yield* simulator({ shops: [{ ...small, points: 100, pointsPerSecond: 10 }] })
      const { access } = yield* connect(running)
      const ask = (first: number) => query(running, access, `{ products(first: ${first}) { nodes { title } } }`)
      const cost = (requested: number, actual: number | null, left: number) => ({
        cost: {
          requestedQueryCost: requested,
          actualQueryCost: actual,
          throttleStatus: { maximumAvailable: 100, currentlyAvailable: left, restoreRate: 10 }
        }
      })
      const fine = yield* ask(50)
      assert.deepStrictEqual(fine.body["extensions"], cost(52, 12, 88))
      const throttled = yield* ask(90)
      assert.deepStrictEqual(throttled.body["extensions"], cost(92, null, 88))
      assert.notProperty(throttled.body, "data")
      running.advance(1_000)
      assert.deepStrictEqual((yield* ask(90)).body["extensions"], cost(92, 12, 86))
      assert.include(JSON.stringify((yield* ask(1_000)).body), "MAX_COST_EXCEEDED")
    })
  )

  it.live("answer what was asked, and nothing else", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const { access } = yield* connect(running)
      const { body } = yield* query(running, access, "{ shop { name } }")
      assert.deepStrictEqual(body["data"], { shop: { name: "ada" } })
      const wrong = yield* query(running, access, "{ shop { nick } }")
      assert.include(JSON.stringify(wrong.body), "Cannot query field")
      assert.strictEqual((yield* query(running, "another", "{ shop { name } }")).status, 401)
      assert.strictEqual((yield* query(running, access, "{ shop { name } }", {}, "nobody.myshopify.com")).status, 404)
    })
  )

  it.live("are found under the name before as well, and keep their id", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const { access } = yield* connect(running)
      const shopAt = (at: string) => query(running, access, "{ shop { id myshopifyDomain } }", {}, at)
      const before = yield* shopAt(domain)
      running.act({ kind: "rename", shop: domain, to: "grace.myshopify.com" })
      const [old, after] = yield* Effect.all([shopAt(domain), shopAt("grace.myshopify.com")])
      assert.deepStrictEqual(old.body["data"], after.body["data"])
      assert.include(JSON.stringify(after.body), "grace.myshopify.com")
      assert.notDeepEqual(before.body["data"], after.body["data"])
    })
  )
})
