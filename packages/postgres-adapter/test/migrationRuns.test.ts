import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Migration } from "../src/migrations/index.ts"
import { appliedIds, crash, emptied, indexStep, on, statement, step, table, tables } from "./support/steps.ts"

const three = [step(1, table("one")), step(2, table("two")), step(3, table("three"))]

const crashing = (steps: ReadonlyArray<Migration>, id: number): ReadonlyArray<Migration> =>
  steps.map((each) => (each.id === id && each.transactional ? { ...each, run: Effect.andThen(each.run, crash) } : each))

describe("a run of migrations", () => {
  it.effect("that is killed in a step keeps the steps before it, and the next run completes", () =>
    Effect.gen(function* () {
      for (const id of [1, 2, 3]) {
        const url = yield* emptied
        yield* Migrations.apply(crashing(three, id)).pipe(on(url), Effect.flip)
        const applied = yield* (id === 1 ? Effect.succeed([]) : appliedIds).pipe(on(url))
        assert.deepStrictEqual(applied, [1, 2, 3].slice(0, id - 1))
        yield* Migrations.apply(three).pipe(on(url))
        assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3])
        assert.deepStrictEqual(yield* tables.pipe(on(url)), ["one", "parley_migrations", "three", "two"])
      }
    })
  )

  it.effect("that is killed between an index and its record takes the index", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const steps = [step(1, table("one")), indexStep(2, "one")]
      yield* Migrations.apply(steps.slice(0, 1)).pipe(on(url))
      yield* statement("CREATE INDEX one_id ON one (id)").pipe(on(url))
      yield* Migrations.apply(steps).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2])
    })
  )

  it.effect("records release, phase, oldest release and duration of each step", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([step(1, table("one"), { compatibleFrom: "0.2.0" })], { release: "0.3.0" }).pipe(on(url))
      const rows = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          SELECT name, release, phase, compatible_from, (applied_at - started_at)::text AS duration FROM parley_migrations`
      ).pipe(on(url))
      assert.deepStrictEqual(rows, [
        { name: "step 1", release: "0.3.0", phase: "expand", compatible_from: "0.2.0", duration: "00:00:00" }
      ])
    })
  )

  it.effect("of five nodes that start together applies each step once", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const steps = [step(1, table("one")), indexStep(2, "one"), step(3, table("three"))]
      const taken = yield* Effect.replicateEffect(Migrations.apply(steps).pipe(on(url)), 5, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        taken.map(({ length }) => length).toSorted((one, other) => one - other),
        [0, 0, 0, 0, 3]
      )
    })
  )
})

describe("releases", () => {
  it.effect("run on the schema of a newer release until a step needs that release", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const expanded = [...three, step(4, table("four"))]
      yield* Migrations.apply(expanded, { release: "0.3.0" }).pipe(on(url))
      assert.deepStrictEqual(yield* Migrations.apply(three, { release: "0.2.0" }).pipe(on(url)), [])
      const later = [...expanded, step(5, table("five"), { compatibleFrom: "0.3.0" })]
      yield* Migrations.apply(later, { release: "0.3.0-next.1" }).pipe(on(url))
      const error = yield* Migrations.apply(three, { release: "0.2.9" }).pipe(on(url), Effect.flip)
      assert.deepStrictEqual(error._tag === "DatabaseNewerThanCode" ? [error.database, error.code] : error._tag, [
        "0.3.0",
        "0.2.9"
      ])
      assert.deepStrictEqual(yield* Migrations.apply(three, { release: "0.10.0" }).pipe(on(url)), [])
    })
  )
})
