import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Migration } from "../src/migrations/index.ts"
import { appliedIds, emptied, indexStep, on, statement, step, table, tables } from "./support/steps.ts"

const three = [step(1, table("one")), step(2, table("two")), step(3, table("three"))]

/** Ends the session of the migration, like a crash of its process. */
const crash = statement("SELECT pg_terminate_backend(pg_backend_pid())")

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

  it.effect("drops an invalid index of an earlier run, and builds it again", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const filled = Effect.andThen(table("one"), statement("INSERT INTO one VALUES (1), (1)"))
      const steps = [step(1, filled), indexStep(2, "one", true)]
      const validity = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          sql<{
            readonly valid: boolean
          }>`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'one_id'::regclass`,
          (rows) => rows.map(({ valid }) => valid)
        )
      )
      yield* Migrations.apply(steps).pipe(on(url), Effect.flip)
      assert.deepStrictEqual(yield* validity.pipe(on(url)), [false])
      yield* statement("DELETE FROM one WHERE ctid = '(0,1)'").pipe(on(url))
      yield* Migrations.apply(steps).pipe(on(url))
      assert.deepStrictEqual(yield* validity.pipe(on(url)), [true])
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2])
    })
  )

  it.effect("records release, phase, oldest release and duration of each step", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([step(1, table("one"), { compatibleFrom: "0.2.0" })], { release: "0.3.0" }).pipe(on(url))
      const rows = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT name, release, phase, compatible_from, seconds FROM parley_migrations`
      ).pipe(on(url))
      assert.deepStrictEqual(rows, [
        { name: "step 1", release: "0.3.0", phase: "expand", compatible_from: "0.2.0", seconds: 0 }
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

  it.effect("adds the columns of its records to a table of an earlier checkout", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* statement(
        "CREATE TABLE parley_migrations (id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)"
      ).pipe(on(url))
      yield* statement("INSERT INTO parley_migrations VALUES (1, 'step 1', now())").pipe(on(url))
      yield* Migrations.apply(three).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3])
    })
  )
})

describe("a step that another transaction blocks", () => {
  const brief = step(2, statement("ALTER TABLE one ADD COLUMN note text"), { tables: ["one"], brief: true })

  it.effect("is tried until the time for locks is over, and the error names the transaction; calls continue", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([step(1, table("one"))]).pipe(on(url))
      const held = yield* Deferred.make<number>()
      const holder = yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<{ readonly pid: number }>`
              SELECT pg_backend_pid() AS pid,   'of the report' AS what FROM (SELECT count(*) FROM one) AS rows`
            yield* Deferred.succeed(held, row?.pid ?? 0)
            return yield* Effect.never
          })
        )
      ).pipe(on(url, "report"), Effect.forkChild)
      const pid = yield* Deferred.await(held)

      const lockWait = "20 seconds"
      const run = yield* Migrations.apply([step(1, table("one")), brief], { lockWait }).pipe(
        on(url, "migrator"),
        Effect.flip,
        Effect.forkChild
      )
      const write = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.andThen(sql`SET LOCAL lock_timeout = '2s'`, Effect.asVoid(sql`INSERT INTO one VALUES (1)`))
        )
      )
      let writes = 0
      while (run.pollUnsafe() === undefined) {
        yield* write.pipe(on(url))
        writes += 1
        yield* TestClock.adjust("1 second")
      }
      const error = yield* Fiber.join(run)
      if (error._tag !== "MigrationBlocked") return assert.fail(error._tag)
      assert.strictEqual(error.waitedSeconds, 20)
      assert.match(
        error.blockers.join(),
        new RegExp(`^pid ${pid} \\(report, for \\d+ s\\): SELECT pg_backend_pid\\(\\) AS pid, 'of the report'`)
      )
      assert.isAtMost((error.blockers[0] ?? "").split(": ")[1]?.length ?? 0, 80)
      assert.isAbove(writes, 1)
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1])

      yield* Fiber.interrupt(holder)
      yield* Migrations.apply([step(1, table("one")), brief]).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2])
    })
  )

  it.effect("shows the transaction in the plan, which changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([step(1, table("one"))]).pipe(on(url))
      const steps = [step(1, table("one")), brief, { ...indexStep(3, "one"), compatibleFrom: "0.2.0" }]
      const planned = yield* Migrations.planOf(steps).pipe(on(url))
      assert.deepStrictEqual(
        planned.map(({ blockers, id, lock, oldestRelease, tables: [first] }) => [
          id,
          first?.name,
          lock,
          blockers,
          oldestRelease
        ]),
        [
          [2, "one", "ACCESS EXCLUSIVE for less than 50 ms", [], "0.1.0"],
          [3, "one", "SHARE UPDATE EXCLUSIVE, which blocks no call", [], "0.2.0"]
        ]
      )
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1])
      const blocked = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT count(*) FROM one`
            yield* sql`SELECT pg_sleep(1.1)`
            return yield* Migrations.planOf(steps).pipe(on(url))
          })
        )
      )
      for (const { blockers } of yield* blocked.pipe(on(url, "report"))) {
        assert.match(blockers.join(), /^pid \d+ \(report, for \d+ s\): SELECT pg_sleep/)
      }
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

  const contracting = [...three, step(4, statement("DROP TABLE two"), { phase: "contract" }), step(5, table("five"))]

  it.effect("contract only on request, and steps of both phases stay in their order", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(contracting).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 5])
      yield* Migrations.apply(contracting, { phase: "contract" }).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 4, 5])
    })
  )

  it.effect("do not contract while a process of an older release runs or was seen in the last minute", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(contracting).pipe(on(url))
      const contract = Migrations.apply(contracting, { phase: "contract", release: "0.3.0" })
      const refusal = Effect.gen(function* () {
        const error = yield* contract.pipe(on(url), Effect.flip)
        return error._tag === "OlderProcesses" ? error.processes : error._tag
      })
      const [session] = yield* refusal.pipe(
        (check) => Effect.andThen(statement("SELECT 1"), check),
        on(url, Migrations.applicationOf("0.2.0"))
      )
      assert.match(session ?? "", /^pid \d+ \(0\.2\.0\)$/)

      yield* statement(`CREATE TABLE worker_processes AS SELECT 'node:7' AS name, '0.2.0' AS release,
        to_timestamp(0) AS last_seen_at UNION SELECT 'node:8', '0.3.0', to_timestamp(0)`).pipe(on(url))
      yield* TestClock.setTime(59_000)
      assert.deepStrictEqual(yield* refusal, ["node:7 (0.2.0)"])
      yield* TestClock.setTime(60_000)
      yield* contract.pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 4, 5])
    })
  )
})
