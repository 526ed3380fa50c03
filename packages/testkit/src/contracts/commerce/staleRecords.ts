import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type StaleRecordKind, type StoreConnectionId, StaleRecordId, StaleRecords } from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenConnection, morning } from "./given.ts"

const markOf = (
  storeConnectionId: StoreConnectionId,
  externalId: string,
  toldAt: DateTime.Utc,
  kind: StaleRecordKind = "orders"
) => ({ id: freshId(StaleRecordId), storeConnectionId, kind, externalId, toldAt })

const mark = (...marks: ReadonlyArray<ReturnType<typeof markOf>>) =>
  Effect.flatMap(StaleRecords, (port) => transact(port.mark(marks)))

const waiting = (storeConnectionId: StoreConnectionId, kind: StaleRecordKind = "orders", limit = 50) =>
  Effect.flatMap(StaleRecords, (marks) => marks.oldest(storeConnectionId, kind, limit))

const namesOf = (marks: ReadonlyArray<{ readonly externalId: string }>) => marks.map(({ externalId }) => externalId)

export const staleRecords: StorageContract = {
  port: "StaleRecords",
  promises: (it) => {
    it.effect("keeps one mark of a record, as old as the first, out of another tenant's sight and reach", () =>
      Effect.gen(function* () {
        const marks = yield* StaleRecords
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const { connection, again } = yield* Effect.gen(function* () {
          const given = yield* givenConnection()
          const reported = markOf(given.id, "1", evening)
          yield* mark(markOf(given.id, "1", morning), markOf(given.id, "1", evening))
          yield* mark(reported)
          assert.deepStrictEqual(yield* waiting(given.id), [{ ...reported, toldAt: morning }])
          return { connection: given, again: reported }
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* waiting(connection.id), [])
          assert.deepStrictEqual(yield* marks.oldestOf([connection.id]), [])
          yield* transact(marks.drop([again]))
        }).pipe(inside(other))
        assert.lengthOf(yield* waiting(connection.id).pipe(inside(one)), 1)
      })
    )

    it.effect("gives the oldest of a kind first, and says how old the oldest of a store is", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const marks = yield* StaleRecords
          const [connection, other, quiet] = [
            yield* givenConnection(),
            yield* givenConnection(),
            yield* givenConnection()
          ]
          const noon = DateTime.add(morning, { hours: 4 })
          yield* mark(
            markOf(connection.id, "late", evening),
            markOf(connection.id, "early", noon),
            markOf(connection.id, "earlier", morning),
            markOf(connection.id, "customer", evening, "customers"),
            markOf(other.id, "product", evening, "products")
          )
          assert.deepStrictEqual(namesOf(yield* waiting(connection.id, "orders", 2)), ["earlier", "early"])
          assert.deepStrictEqual(namesOf(yield* waiting(connection.id, "customers")), ["customer"])
          assert.deepStrictEqual(namesOf(yield* waiting(other.id, "products")), ["product"])
          const oldest = yield* marks.oldestOf([quiet.id, connection.id, other.id])
          assert.sameDeepMembers(Array.from(oldest), [
            { storeConnectionId: connection.id, toldAt: morning },
            { storeConnectionId: other.id, toldAt: evening }
          ])
          assert.deepStrictEqual(yield* marks.oldestOf([]), [])
        })
      )
    )

    it.effect("drops refreshed records, and keeps those reported again", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const marks = yield* StaleRecords
          const connection = yield* givenConnection()
          yield* mark(markOf(connection.id, "1", morning), markOf(connection.id, "2", morning))
          const read = yield* waiting(connection.id)
          yield* mark(markOf(connection.id, "2", evening), markOf(connection.id, "3", evening))
          yield* transact(marks.drop(read))
          assert.deepStrictEqual(namesOf(yield* waiting(connection.id)), ["2", "3"])
          yield* transact(marks.drop(yield* waiting(connection.id)))
          yield* mark(markOf(connection.id, "1", evening))
          yield* transact(marks.drop(read))
          assert.deepStrictEqual(namesOf(yield* waiting(connection.id)), ["1"])
          yield* transact(marks.drop([]))
        })
      )
    )
  }
}

/** Checks an adapter against the contract of stores' marks for repeated reads. */
export const staleRecordsContract = runContract(staleRecords)
