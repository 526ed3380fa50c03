import { assert } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import { StoreCarts, StoreOrders } from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenConnection, morning, newCart, newOrder, putCarts, putOrders } from "./given.ts"

const all = { limit: 100, after: null }

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

export const cartClock: StorageContract = {
  port: "StoreCarts",
  promises: (it) => {
    it.effect("finds idle carts, the longest idle first, page by page", () =>
      Effect.gen(function* () {
        const carts = yield* StoreCarts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const connection = yield* Effect.gen(function* () {
          const [mine, theirs] = [yield* givenConnection(), yield* givenConnection()]
          const noon = DateTime.add(morning, { hours: 4 })
          const [first, second] = [newCart(mine), newCart(mine)]
          const third = newCart(mine, { updatedAt: noon })
          const lively = newCart(mine, { updatedAt: evening })
          const left = newCart(mine, {}, { state: "abandoned", abandonedAt: noon })
          yield* putCarts(
            third,
            second,
            first,
            lively,
            left,
            newCart(theirs),
            newCart(mine, {}, { state: "completed" })
          )
          const silent = (limit: number, after: ReadonlyArray<string> | null = null) =>
            carts.silent(mine.id, "active", noon, { limit, after })
          assert.deepStrictEqual(idsOf(yield* silent(9)), idsOf([first, second, third]))
          const [found] = yield* silent(1)
          assert.strictEqual(found?.id, first.id)
          const rest = yield* silent(9, [DateTime.formatIso(morning), first.id])
          assert.deepStrictEqual(idsOf(rest), idsOf([second, third]))
          assert.deepStrictEqual(idsOf(yield* carts.silent(mine.id, "abandoned", evening, all)), [left.id])
          assert.deepStrictEqual(yield* carts.nextSilent(mine.id, morning), noon)
          assert.deepStrictEqual(yield* carts.nextSilent(mine.id, noon), evening)
          assert.isNull(yield* carts.nextSilent(mine.id, evening))
          return mine
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.lengthOf(yield* carts.silent(connection.id, "active", evening, all), 0)
          assert.isNull(yield* carts.nextSilent(connection.id, morning))
        }).pipe(inside(other))
      })
    )

    it.effect("deletes carts that ended by then", () =>
      Effect.gen(function* () {
        const carts = yield* StoreCarts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const connection = yield* givenConnection()
          const kept = newCart(connection, {}, { state: "expired", closedAt: evening })
          const open = newCart(connection)
          yield* putCarts(newCart(connection, {}, { state: "expired", closedAt: morning }), kept, open)
          assert.strictEqual(yield* carts.sweep(morning).pipe(inside(other)), 0)
          assert.strictEqual(yield* carts.sweep(morning), 1)
          const query = { storeConnectionId: connection.id, contactId: null, updatedSince: null, q: null, state: null }
          assert.sameMembers(idsOf(yield* carts.list(query, all)), idsOf([kept, open]))
        }).pipe(inside(one))
      })
    )

    it.effect("are compared with the time of the last order", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const orders = yield* StoreOrders
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          const contactId = freshId(ContactId)
          const placed = (
            of: typeof connection,
            hours: number,
            overrides = {},
            contact: typeof contactId | null = null
          ) =>
            newOrder(
              of,
              { externalCustomerId: "c1", placedAt: DateTime.add(morning, { hours }), ...overrides },
              { contactId: contact }
            )
          yield* putOrders(
            placed(connection, 1),
            placed(connection, 2),
            placed(other, 3, { externalCustomerId: null }, contactId),
            placed(connection, 8, { test: true }, contactId),
            { ...placed(connection, 9), deletedAt: evening }
          )
          const last = yield* orders.lastPlaced(connection.id, {
            contactIds: [contactId],
            externalCustomerIds: ["c1", "c2"]
          })
          const latest = (isOne: (row: (typeof last)[number]) => boolean) =>
            last.filter(isOne).reduce((at, row) => DateTime.max(at, row.placedAt), morning)
          assert.deepStrictEqual(
            latest((row) => row.contactId === contactId),
            DateTime.add(morning, { hours: 3 })
          )
          assert.deepStrictEqual(
            latest((row) => row.externalCustomerId === "c1"),
            DateTime.add(morning, { hours: 2 })
          )
          assert.deepStrictEqual(
            yield* orders.lastPlaced(connection.id, { contactIds: [], externalCustomerIds: [] }),
            []
          )
        })
      )
    )
  }
}

/** Checks an adapter against the contract of carts over time. */
export const cartClockContract = runContract(cartClock)
