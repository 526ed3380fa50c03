import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  type RecordKind,
  SkippedRecord,
  SkippedRecords,
  type StoreConnection,
  StoreConnections,
  type StoredSkippedRecord
} from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all, inNewOrganization } from "../crm/given.ts"
import { givenOrganization, inside } from "../given.ts"
import { evening, givenConnection, morning } from "./given.ts"

const noon = DateTime.add(morning, { hours: 4 })

const max = 100

const skipped = (
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  kind: RecordKind,
  externalId: string,
  overrides: { readonly reason?: string; readonly version?: string; readonly at?: DateTime.Utc } = {}
): StoredSkippedRecord => {
  const { at = morning, reason = "No readable value: updatedAt", version = "1" } = overrides
  return {
    storeConnectionId,
    readerVersion: version,
    record: new SkippedRecord({ kind, externalId, reason, createdAt: at, updatedAt: at })
  }
}

const put = (rows: ReadonlyArray<StoredSkippedRecord>, limit = max) =>
  Effect.flatMap(SkippedRecords, (port) => transact(port.put(rows, limit)))

const keysOf = (rows: ReadonlyArray<StoredSkippedRecord>) =>
  rows.map(({ record: { externalId, kind } }) => `${kind} ${externalId}`)

const listed = (connection: Pick<StoreConnection, "id">) =>
  Effect.flatMap(SkippedRecords, (port) => port.list(connection.id, all))

export const skippedRecords: StorageContract = {
  port: "SkippedRecords",
  promises: (it) => {
    it.effect("lists each record once, by kind and id, page by page", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* SkippedRecords
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          yield* put([
            skipped(connection, "orders", "2"),
            skipped(connection, "orders", "10"),
            skipped(connection, "carts", "ä"),
            skipped(other, "orders", "2")
          ])
          yield* put([skipped(connection, "orders", "2", { reason: "Another.", version: "2", at: evening })])
          const rows = yield* listed(connection)
          assert.deepStrictEqual(keysOf(rows), ["carts ä", "orders 10", "orders 2"])
          assert.deepInclude({ ...rows[2] }, { storeConnectionId: connection.id, readerVersion: "2" })
          assert.deepStrictEqual(
            { ...rows[2]?.record },
            { kind: "orders", externalId: "2", reason: "Another.", createdAt: morning, updatedAt: evening }
          )
          const page = (after: ReadonlyArray<string> | null) => port.list(connection.id, { limit: 2, after })
          assert.deepStrictEqual(keysOf(yield* page(null)), ["carts ä", "orders 10"])
          assert.deepStrictEqual(keysOf(yield* page(["orders", "10"])), ["orders 2"])
          const counts = yield* port.counts([connection.id, other.id, connection.id])
          assert.sameDeepMembers(
            [...counts],
            [
              { storeConnectionId: connection.id, count: 3 },
              { storeConnectionId: other.id, count: 1 }
            ]
          )
          assert.deepStrictEqual(yield* port.counts([]), [])
        })
      )
    )

    it.effect("stores no new record at the limit of its store, and still updates known ones", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          yield* put([skipped(other, "orders", "1")], 2)
          yield* put(
            ["1", "2", "3"].map((externalId) => skipped(connection, "orders", externalId)),
            2
          )
          yield* put([skipped(connection, "orders", "2", { reason: "Another." })], 2)
          const rows = yield* listed(connection)
          assert.deepStrictEqual(keysOf(rows), ["orders 1", "orders 2"])
          assert.strictEqual(rows[1]?.record.reason, "Another.")
        })
      )
    )

    it.effect("returns records that another reader version skipped, and expired ones", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* SkippedRecords
          const connection = yield* givenConnection()
          yield* put([
            skipped(connection, "orders", "1"),
            skipped(connection, "orders", "2", { version: "2" }),
            skipped(connection, "products", "1", { at: evening })
          ])
          const outdated = (version: string, limit = 50) =>
            Effect.map(port.outdated(connection.id, version, limit), keysOf)
          assert.deepStrictEqual(yield* outdated("2"), ["orders 1", "products 1"])
          assert.deepStrictEqual(yield* outdated("2", 1), ["orders 1"])
          assert.deepStrictEqual(yield* outdated("1"), ["orders 2"])
          yield* transact(port.expire(connection.id, noon))
          assert.deepStrictEqual(yield* outdated("1"), ["orders 1", "orders 2"])
          yield* transact(port.remove(connection.id, []))
          yield* transact(
            port.remove(connection.id, [
              { kind: "orders", externalId: "1" },
              { kind: "carts", externalId: "2" }
            ])
          )
          assert.deepStrictEqual(keysOf(yield* listed(connection)), ["orders 2", "products 1"])
          assert.strictEqual(yield* transact((yield* StoreConnections).eraseRecords(connection.id, 50)), 2)
          assert.deepStrictEqual(yield* listed(connection), [])
        })
      )
    )

    it.effect("isolates records from other tenants", () =>
      Effect.gen(function* () {
        const port = yield* SkippedRecords
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const connection = yield* Effect.gen(function* () {
          const given = yield* givenConnection()
          yield* put([skipped(given, "orders", "1")])
          return given
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* listed(connection), [])
          assert.deepStrictEqual(yield* port.counts([connection.id]), [])
          assert.deepStrictEqual(yield* port.outdated(connection.id, "2", 9), [])
          yield* transact(port.expire(connection.id, evening))
          yield* transact(port.remove(connection.id, [{ kind: "orders", externalId: "1" }]))
        }).pipe(inside(other))
        const [row] = yield* listed(connection).pipe(inside(one))
        assert.strictEqual(row?.readerVersion, "1")
      })
    )
  }
}

/** Contract of adapters for skipped records. */
export const skippedRecordsContract = runContract(skippedRecords)
