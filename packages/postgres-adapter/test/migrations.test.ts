import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../src/migrations/index.ts"
import { emptied, on, step, table, tables } from "./support/steps.ts"

/** Records of steps in a database, as the series before the baselines left them. */
const record = (...steps: ReadonlyArray<readonly [id: number, name: string]>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE parley_migrations (
      id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)`
    for (const [id, name] of steps) yield* sql`INSERT INTO parley_migrations VALUES (${id}, ${name}, now())`
  })

describe("migrations", () => {
  it.effect("run once when five nodes start at the same time", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const taken = yield* Effect.replicateEffect(Migrations.migrate.pipe(on(url)), 5, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        taken.map(({ length }) => length).toSorted((one, other) => one - other),
        [0, 0, 0, 0, migrations.length]
      )
      const { applied, pending, refusal } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual(
        applied.map(({ id, name }) => ({ id, name })),
        migrations.map(({ id, name }) => ({ id, name }))
      )
      assert.deepStrictEqual([pending, refusal], [[], null])
    })
  )

  it.effect("of an empty database are all pending, and the status changes nothing", () =>
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

  it.effect("leave nothing of a step that fails, and keep the steps before it", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const broken = [step(1, table("one")), step(2, Effect.andThen(table("two"), table("one")))]
      const error = yield* Migrations.apply(broken).pipe(on(url), Effect.flip)
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(yield* tables.pipe(on(url)), ["one", "parley_migrations"])
    })
  )

  it.effect.each([
    [
      85,
      [
        [1, "foundation"],
        [84, "docs code sessions"],
        [85, "password changes"]
      ]
    ],
    [
      4,
      [
        [1, "foundation"],
        [2, "jobs"],
        [3, "files"],
        [4, "crm"]
      ]
    ]
  ] as const)("refuse a database of the series before the baselines at migration %i", ([database, steps]) =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* record(...steps).pipe(on(url))
      const error = yield* Migrations.migrate.pipe(on(url), Effect.flip)
      assert.deepStrictEqual(error._tag === "DatabaseBeforeBaselines" ? error.database : error._tag, database)
      assert.include(error.message, "before the baselines of release 0.2.0 (migrations 1 to 85)")
      const { applied, pending, refusal } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual([applied.length, pending, refusal?._tag], [steps.length, [], "DatabaseBeforeBaselines"])
      assert.deepStrictEqual(yield* tables.pipe(on(url)), ["parley_migrations"])
    })
  )

  it.effect("refuse a database of a checkout that recorded fewer columns, and change nothing", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* record([1, "platform"]).pipe(on(url))
      const error = yield* Migrations.migrate.pipe(on(url), Effect.flip)
      assert.strictEqual(error._tag, "DatabaseOfEarlierCheckout")
      assert.include(error.message, "start with a new database")
      const { applied, pending, refusal } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual([applied.length, pending, refusal?._tag], [1, [], "DatabaseOfEarlierCheckout"])
      assert.deepStrictEqual(yield* tables.pipe(on(url)), ["parley_migrations"])
    })
  )
})

it("start with a baseline for each product folder, in the order of the layers", () => {
  const layers = JSON.parse(readFileSync(join(import.meta.dirname, "../../../scripts/layers.json"), "utf8"))
  const folders = Object.keys(layers).filter((folder) => folder !== "kernel")
  assert.sameMembers(
    migrations.slice(0, 8).map(({ name }) => name),
    folders
  )
  for (const [index, { name }] of migrations.slice(0, 8).entries()) {
    const later = new Set(migrations.slice(index).map((migration) => migration.name))
    assert.isFalse(
      layers[name].some((lower: string) => later.has(lower)),
      name
    )
  }
})

it("have ids that count from 1 and names that differ", () => {
  assert.deepStrictEqual(
    migrations.map(({ id }) => id),
    migrations.map((_, index) => index + 1)
  )
  assert.strictEqual(new Set(migrations.map(({ name }) => name)).size, migrations.length)
})
