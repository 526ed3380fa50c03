import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { JobId } from "@parley/domain/platform"
import {
  type StaleRecordKind,
  type SyncTarget,
  type StoreConnectionId,
  StoreConnections,
  SyncSeenRecords
} from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import {
  evening,
  givenConnection,
  morning,
  newCustomer,
  newOrder,
  newProduct,
  putCustomers,
  putOrders,
  putProducts
} from "./given.ts"

const noon = DateTime.add(morning, { hours: 4 })

const syncOf = (storeConnectionId: StoreConnectionId, kind: StaleRecordKind = "orders"): SyncTarget => ({
  jobId: freshId(JobId),
  storeConnectionId,
  kind
})

const see = (sought: SyncTarget, ...externalIds: ReadonlyArray<string>) =>
  Effect.flatMap(SyncSeenRecords, (port) => transact(port.see(sought, externalIds)))

const unseen = (sought: SyncTarget, after: string | null = null, limit = 50) =>
  Effect.flatMap(SyncSeenRecords, (port) => port.unseen(sought, noon, after, limit))

const forget = (id: StoreConnectionId, limit: number) =>
  Effect.flatMap(SyncSeenRecords, (port) => transact(port.forget(id, limit)))

export const syncSeenRecords: StorageContract = {
  port: "SyncSeenRecords",
  promises: (it) => {
    it.effect("finds what is kept and was not seen, part by part, and nothing that is gone or has changed since", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          yield* putOrders(
            ...["a", "B", "c", "ä", "d"].map((externalId) => newOrder(connection, { externalId })),
            newOrder(connection, { externalId: "changed" }, { updatedAt: evening }),
            newOrder(connection, { externalId: "deleted" }, { deletedAt: morning }),
            newOrder(other, { externalId: "b" })
          )
          const sync = syncOf(connection.id)
          yield* see(sync, "a", "d", "d", "nobody")
          yield* see(sync)
          assert.deepStrictEqual(yield* unseen(sync), { externalIds: ["B", "c", "ä"], last: null })
          assert.deepStrictEqual(yield* unseen(sync, null, 3), { externalIds: ["B", "c"], last: "c" })
          assert.deepStrictEqual(yield* unseen(sync, "c", 3), { externalIds: [], last: "deleted" })
          assert.deepStrictEqual(yield* unseen(sync, "deleted", 3), { externalIds: ["ä"], last: null })
          assert.deepStrictEqual(yield* unseen(syncOf(other.id)), { externalIds: ["b"], last: null })
        })
      )
    )

    it.effect("keeps the kinds apart, and looks at none that is closed or deleted", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const connection = yield* givenConnection()
          yield* putOrders(newOrder(connection, { externalId: "1" }))
          yield* putCustomers(
            newCustomer(connection, { externalId: "1" }),
            newCustomer(connection, { externalId: "2" }),
            newCustomer(connection, { externalId: "closed" }, { closedAt: morning })
          )
          yield* putProducts(
            newProduct(connection, { externalId: "1" }),
            newProduct(connection, { externalId: "deleted", status: "deleted" })
          )
          const sync = syncOf(connection.id, "customers")
          yield* see(sync, "1")
          assert.deepStrictEqual((yield* unseen(sync)).externalIds, ["2"])
          assert.deepStrictEqual((yield* unseen({ ...sync, kind: "orders" })).externalIds, ["1"])
          assert.deepStrictEqual((yield* unseen({ ...sync, kind: "products" })).externalIds, ["1"])
        })
      )
    )

    it.effect("does not count what another sync has seen, and forgets it by and by", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          yield* putOrders(...["a", "b"].map((externalId) => newOrder(connection, { externalId })))
          yield* putOrders(newOrder(other, { externalId: "a" }))
          const [earlier, later, beside] = [syncOf(connection.id), syncOf(connection.id), syncOf(other.id)]
          yield* see(earlier, "a", "b")
          yield* see(beside, "a")
          assert.deepStrictEqual((yield* unseen(later)).externalIds, ["a", "b"])
          yield* see(later, "b")
          assert.deepStrictEqual((yield* unseen(later)).externalIds, ["a"])
          assert.deepStrictEqual((yield* unseen(earlier)).externalIds, ["b"])
          assert.strictEqual(yield* forget(connection.id, 1), 1)
          assert.strictEqual(yield* forget(connection.id, 5), 1)
          assert.strictEqual(yield* forget(connection.id, 5), 0)
          assert.deepStrictEqual((yield* unseen(later)).externalIds, ["a", "b"])
          assert.deepStrictEqual((yield* unseen(beside)).externalIds, [])
          assert.strictEqual(yield* transact((yield* StoreConnections).eraseRecords(other.id, 50)), 2)
          assert.strictEqual(yield* forget(other.id, 5), 0)
        })
      )
    )

    it.effect("says whether anything is kept that may be missing", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { isAnyKept } = yield* SyncSeenRecords
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          yield* putOrders(
            newOrder(connection, {}, { updatedAt: evening }),
            newOrder(connection, {}, { deletedAt: morning }),
            newOrder(other)
          )
          assert.isFalse(yield* isAnyKept(connection.id, "orders", noon))
          assert.isTrue(yield* isAnyKept(connection.id, "orders", DateTime.add(evening, { seconds: 1 })))
          assert.isTrue(yield* isAnyKept(other.id, "orders", noon))
          assert.isFalse(yield* isAnyKept(other.id, "products", noon))
          assert.isFalse(yield* isAnyKept(other.id, "customers", noon))
          yield* putCustomers(newCustomer(other))
          yield* putProducts(newProduct(other))
          assert.isTrue(yield* isAnyKept(other.id, "products", noon))
          assert.isTrue(yield* isAnyKept(other.id, "customers", noon))
        })
      )
    )

    it.effect("keeps everything out of another tenant's sight and reach", () =>
      Effect.gen(function* () {
        const port = yield* SyncSeenRecords
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const sync = yield* Effect.gen(function* () {
          const connection = yield* givenConnection()
          yield* putOrders(newOrder(connection, { externalId: "a" }), newOrder(connection, { externalId: "b" }))
          const given = syncOf(connection.id)
          yield* see(given, "a")
          return given
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* unseen(sync), { externalIds: [], last: null })
          assert.isFalse(yield* port.isAnyKept(sync.storeConnectionId, "orders", evening))
          assert.strictEqual(yield* forget(sync.storeConnectionId, 5), 0)
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* unseen(sync).pipe(inside(one)), { externalIds: ["b"], last: null })
      })
    )
  }
}

/** Checks an adapter against the contract of store sightings by syncs. */
export const syncSeenRecordsContract = runContract(syncSeenRecords)
