import type { RecordKind, StoreRecords } from "@parley/domain/commerce"
import { StoreSide, storePlatformContract } from "@parley/testkit/contracts"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Layer } from "effect"
import { agree, domain, parametersOf, platform, simulated } from "./simulated.ts"

const collections = {
  products: "products",
  customers: "customers",
  orders: "orders",
  carts: "abandonedCheckouts"
} as const

const side = Layer.effect(
  StoreSide,
  Effect.gen(function* () {
    const simulator = yield* StoreSimulator
    const books = () => simulator.books(domain)
    const first = (ids: IteratorObject<{ readonly externalId: string }, undefined>) =>
      Number(ids.next().value?.externalId ?? 0)
    const expected: { readonly [Kind in RecordKind]: () => ReadonlyArray<StoreRecords[Kind]> } = {
      products: () => [...books().products()],
      customers: () => [...books().customers()],
      orders: () => [...books().orders()],
      carts: () => [...books().carts()]
    }
    const change = {
      products: () => ({ kind: "change_product", product: first(books().products()), title: "Another title" }) as const,
      customers: () => ({ kind: "change_customer", customer: first(books().customers()), tags: ["changed"] }) as const,
      orders: () => ({ kind: "refund", order: first(books().orders()), amount: 1 }) as const,
      carts: () => ({ kind: "change_checkout", checkout: first(books().carts()) }) as const
    }
    const remove = {
      products: () => ({ kind: "delete_product", product: first(books().products()) }) as const,
      customers: () => ({ kind: "delete_customer", customer: first(books().customers()) }) as const,
      orders: () => ({ kind: "delete_order", order: first(books().orders()) }) as const,
      carts: () => ({ kind: "delete_checkout", checkout: first(books().carts()) }) as const
    }
    const idOf = {
      products: () => first(books().products()),
      customers: () => first(books().customers()),
      orders: () => first(books().orders()),
      carts: () => first(books().carts())
    }
    return {
      platform: yield* platform,
      shop: { shopId: "60000000001", shopDomain: domain, name: "Ada", currency: "EUR", country: "DE" },
      agree: (url) => Effect.sync(() => agree(simulator, url)),
      deny: (url) => Effect.sync(() => parametersOf(simulator.decide(url, false))),
      signed: ["code", "host", "shop", "state", "timestamp"],
      expected: (kind) => Effect.sync(() => expected[kind]()),
      change: (kind) =>
        Effect.sync(() => {
          const id = String(idOf[kind]())
          simulator.act({ shop: domain, ...change[kind]() })
          return id
        }),
      remove: (kind) => Effect.sync(() => String(simulator.act({ shop: domain, ...remove[kind]() }))),
      corrupt: (kind) =>
        Effect.sync(() => {
          const id = idOf[kind]()
          simulator.act({ kind: "corrupt", shop: domain, collection: collections[kind], id })
          return String(id)
        }),
      repair: (kind, id) =>
        Effect.sync(() => {
          const collection = collections[kind]
          simulator.act({ kind: "corrupt", shop: domain, collection, id: Number(id), repaired: true })
        }),
      loseRefresh: Effect.sync(() =>
        simulator.misbehave({ on: "token", name: "refresh_token", what: { kind: "reset" } })
      ),
      lostNext: Effect.sync(() => simulator.misbehave({ on: "graphql", what: { kind: "reset" } })),
      delivery: Effect.sync(() => {
        const externalId = String(first(books().orders()))
        simulator.act({ kind: "fulfil", shop: domain, order: Number(externalId) })
        const delivered = simulator.deliveries().findLast(({ topic }) => topic === "orders/updated")
        const request = { body: Buffer.from(delivered?.body ?? ""), headers: delivered?.headers ?? {} }
        return { request, externalId }
      }),
      subscribed: Effect.sync(() => simulator.subscriptions(domain).map(({ topic, uri }) => `${topic} ${uri}`))
    }
  })
).pipe(
  Layer.provide(
    simulated({ attempts: 1 }, { furtherScopes: ["read_all_orders", "read_customer_merge", "read_fulfillments"] })
  )
)

storePlatformContract("Shopify, simulated", side)
