import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appliedIds, emptied, indexStep, on, statement, step, table } from "./support/steps.ts"

const validity = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly valid: boolean }>`SELECT indisvalid AS valid FROM pg_index WHERE indrelid = 'one'::regclass`,
    (rows) => rows.map(({ valid }) => valid)
  )
)

const filled = step(1, Effect.andThen(table("one"), statement("INSERT INTO one VALUES (1), (1)")))

const steps = [filled, indexStep(2, "one", true)]

describe("an index of a migration", () => {
  it.effect("is dropped when its build fails, because it refuses calls", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const error = yield* Migrations.apply(steps).pipe(on(url), Effect.flip)
      assert.strictEqual(error._tag === "SqlError" ? error.reason._tag : error._tag, "UniqueViolation")
      assert.deepStrictEqual(yield* validity.pipe(on(url)), [])
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1])
    })
  )

  it.effect("replaces the invalid index of a killed run", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([filled]).pipe(on(url))
      yield* statement("CREATE UNIQUE INDEX CONCURRENTLY one_id ON one (id)").pipe(on(url), Effect.flip)
      assert.deepStrictEqual(yield* validity.pipe(on(url)), [false])
      yield* statement("DELETE FROM one WHERE ctid = '(0,1)'").pipe(on(url))
      yield* Migrations.apply(steps).pipe(on(url))
      assert.deepStrictEqual(yield* validity.pipe(on(url)), [true])
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2])
    })
  )

  it.effect("is built without the timeouts of the database and of the role", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* statement(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET lock_timeout = 5000', current_database());
        EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = 300000', current_database());
      END $$`).pipe(on(url))
      yield* statement(`CREATE FUNCTION has_no_timeout(id integer) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('lock_timeout') <> '0' OR current_setting('idle_session_timeout') <> '0'
          OR current_setting('statement_timeout') <> '0' THEN RAISE 'the session has a timeout'; END IF;
        RETURN true; END $$`).pipe(on(url))
      const guarded = indexStep(2, "one")
      const index = { ...guarded.index, on: "(id) WHERE has_no_timeout(id)" }
      yield* Migrations.apply([filled, { ...guarded, index }]).pipe(on(url))
      assert.deepStrictEqual(yield* validity.pipe(on(url)), [true])
    })
  )
})
