import { assert, describe } from "@effect/vitest"
import { receiveSignals, type StoreSignal } from "@parley/domain/commerce"
import { asOperatorOf } from "@parley/testkit"
import { Effect } from "effect"
import { at, customerRecord, orderRecord, productRecord, shuffled } from "./given.ts"
import { test } from "./stage.ts"
import { givenStage, known, later, work } from "./syncing.ts"

/** Numbers that only the seed decides. */
const drawing = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe("what a shop has done", () => {
  test("is complete after late, repeated and unordered reports during a sync", () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= 30; seed += 1) {
        const { connection, organization, script, shop } = yield* givenStage
        const draw = drawing(seed)
        const books = {
          orders: new Map<string, unknown>(),
          customers: new Map<string, unknown>(),
          products: new Map<string, unknown>()
        }
        const waiting: Array<StoreSignal> = []
        const deliver = (signals: ReadonlyArray<StoreSignal>) =>
          receiveSignals(
            connection,
            shuffled(
              signals,
              signals.map(() => draw(1_000))
            )
          ).pipe(asOperatorOf(organization))
        let made = 0
        for (let turn = 0; turn < 40; turn += 1) {
          const externalId = String(draw(6))
          const updatedAt = at(Math.floor(turn / 3))
          switch (draw(7)) {
            case 0: {
              yield* script.put(shop, "orders", orderRecord({ externalId, name: `#${turn}`, updatedAt }))
              books.orders.set(externalId, [`#${turn}`, "pending"])
              waiting.push({ kind: "changed", record: "orders", externalId })
              break
            }
            case 1: {
              const customer = customerRecord({ externalId, name: `C ${turn}`, email: null, phones: [], updatedAt })
              yield* script.put(shop, "customers", customer)
              books.customers.set(externalId, [`C ${turn}`, null])
              waiting.push({ kind: "changed", record: "customers", externalId })
              break
            }
            case 2: {
              yield* script.put(shop, "products", productRecord({ externalId, title: `P ${turn}`, updatedAt }))
              books.products.set(externalId, [`P ${turn}`, "active"])
              waiting.push({ kind: "changed", record: "products", externalId })
              break
            }
            case 3: {
              // A shop does not use an id twice.
              const gone = `gone-${(made += 1)}`
              yield* script.put(shop, "orders", orderRecord({ externalId: gone, updatedAt }))
              if (draw(2) === 0) yield* work
              yield* script.remove(shop, "orders", gone)
              waiting.push({ kind: "deleted", record: "orders", externalId: gone })
              waiting.push({ kind: "changed", record: "orders", externalId: gone })
              break
            }
            case 4: {
              yield* deliver([...waiting, ...waiting.slice(0, 4)])
              break
            }
            case 5: {
              yield* deliver(waiting.splice(draw(waiting.length + 1)))
              break
            }
            default: {
              yield* work
            }
          }
        }
        yield* deliver(waiting)
        yield* work
        yield* later(10)
        const { customers, orders, products } = yield* known(organization)
        assert.deepStrictEqual(
          { customers, orders, products },
          {
            customers: Object.fromEntries(books.customers),
            orders: Object.fromEntries(books.orders),
            products: Object.fromEntries(books.products)
          },
          `seed ${seed}`
        )
      }
    }))
})
