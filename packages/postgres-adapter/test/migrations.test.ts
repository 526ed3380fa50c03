import { assert, it, layer } from "@effect/vitest"
import { Database, Migrations } from "@parley/postgres-adapter"
import { freshDatabase, layerEmbedded } from "@parley/postgres-adapter/testing"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Migration } from "../src/migrations/index.ts"
import { migrations } from "../src/migrations/index.ts"
import { onServer } from "./support/onServer.ts"

const on = (url: Redacted.Redacted) => Effect.provide(Database.layer({ url, maxConnections: 2 }))

const emptied = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP SCHEMA public CASCADE`
    yield* sql`CREATE SCHEMA public`
  }).pipe(on(url))
  return url
})

const step = (id: number, run: Migration["run"]): Migration => ({ id, name: `step ${id}`, run })

const table = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql`CREATE TABLE ${sql(name)} (id integer)`))

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
  return rows.map(({ name }) => name)
})

onServer("migrations", () => {
  it.effect("run once when five nodes start at the same time", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const taken = yield* Effect.replicateEffect(Migrations.migrate.pipe(on(url)), 5, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        taken.map(({ length }) => length).toSorted((one, other) => one - other),
        [0, 0, 0, 0, migrations.length]
      )
      const { applied, isNewerThanCode, pending } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual(
        applied.map(({ id, name }) => ({ id, name })),
        migrations.map(({ id, name }) => ({ id, name }))
      )
      assert.deepStrictEqual([pending, isNewerThanCode], [[], false])
    })
  )

  it.effect("of an empty database are all pending, and telling so changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const { applied, pending } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual([applied.length, pending.length], [0, migrations.length])
      assert.deepStrictEqual(yield* tables.pipe(on(url)), [])
    })
  )

  it.effect("take only the steps that the database lacks", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const [one, two, three] = [step(1, table("one")), step(2, table("two")), step(3, table("three"))]
      yield* Migrations.apply([one]).pipe(on(url))
      const taken = yield* Migrations.apply([one, two, three]).pipe(on(url))
      assert.deepStrictEqual(
        taken.map(({ id }) => id),
        [2, 3]
      )
      assert.deepStrictEqual(yield* tables.pipe(on(url)), ["one", "parley_migrations", "three", "two"])
    })
  )

  it.effect("leave nothing of a run that fails", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const broken = [step(1, table("one")), step(2, table("one"))]
      const error = yield* Migrations.apply(broken).pipe(on(url), Effect.flip)
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(yield* tables.pipe(on(url)), [])
    })
  )

  it.effect("refuse a database that is newer than the code, and say so", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([...migrations, step(9_999, table("future"))]).pipe(on(url))
      const error = yield* Migrations.migrate.pipe(on(url), Effect.flip)
      assert.deepStrictEqual(error._tag === "DatabaseNewerThanCode" ? [error.database, error.code] : error._tag, [
        9_999,
        migrations.at(-1)?.id ?? 0
      ])
      assert.include(error.message, "9999")
      assert.isTrue((yield* Migrations.status.pipe(on(url))).isNewerThanCode)
    })
  )
})

layer(layerEmbedded)("migrations on PGlite", (it) => {
  it.effect("are the same", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Migrations.migrate, [])
      assert.lengthOf((yield* Migrations.status).applied, migrations.length)
    })
  )
})

it("have ids that rise from 1 and names that differ", () => {
  const ids = migrations.map(({ id }) => id)
  assert.strictEqual(ids[0], 1)
  // A number is given out when work on its step begins, so one may be missing; a step is taken only in their order.
  assert.deepStrictEqual(
    ids,
    Array.from(new Set(ids)).toSorted((one, other) => one - other)
  )
  assert.strictEqual(new Set(migrations.map(({ name }) => name)).size, migrations.length)
})
