import { assert, it } from "@effect/vitest"
import { Backup, Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

const databaseNamed = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.acquireRelease(sql`CREATE DATABASE ${sql(name)}`, () =>
    Effect.ignore(sql`DROP DATABASE IF EXISTS ${sql(name)}`)
  )
  return name
})

const scratchNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT datname::text AS name FROM pg_database WHERE datname LIKE 'parley\_verify\_%'`
  return new Set(rows.map(({ name }) => name))
})

it.live("a scratch database is dropped after its use, and an abandoned one at the next use", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* Effect.gen(function* () {
      const hex = () => SecureRandom.uuidV7Unsafe().replaceAll("-", "")
      const abandoned = yield* databaseNamed(`parley_verify_000000000001${hex().slice(12)}`)
      const recent = yield* databaseNamed(`parley_verify_${hex()}`)
      const inside = yield* Backup.withScratchDatabase(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ readonly name: string }>`SELECT current_database()::text AS name`
          return row?.name ?? assert.fail("There is no database.")
        })
      )
      const left = yield* scratchNames
      assert.match(inside, /^parley_verify_/)
      assert.deepStrictEqual(
        [abandoned, recent, inside].map((name) => left.has(name)),
        [false, true, false]
      )
    }).pipe(Effect.scoped, Effect.provide(Database.layer({ url, maxConnections: 2 })))
  }).pipe(Effect.scoped)
)
