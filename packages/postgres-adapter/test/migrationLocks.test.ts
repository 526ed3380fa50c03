import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { Deferred, Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { lockTimeoutAfter } from "../src/migrating/runStep.ts"
import { appliedIds, emptied, indexStep, on, statement, step, table } from "./support/steps.ts"

describe("a step that another transaction blocks", () => {
  const brief = step(2, statement("ALTER TABLE one ADD COLUMN note text"), { tables: ["one"], brief: true })

  it.effect("is tried until the time for locks is over, and only the error has the statement; calls continue", () =>
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
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => {
        lines.push(String(message))
      })
      const run = yield* Migrations.apply([step(1, table("one")), brief], { lockWait }).pipe(
        on(url, "migrator"),
        Effect.provide(Logger.layer([logger])),
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
      assert.match(lines.join("\n"), new RegExp(`^Migration 2 step 2 waits for: pid ${pid} \\(report, for \\d+ s\\)$`))
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

describe("the lock timeout of an attempt", () => {
  const client = { pid: 1, application: "report", seconds: 3, query: "SELECT 1", isAutovacuum: false }
  const autovacuum = { ...client, pid: 2, application: "", isAutovacuum: true }

  it("is above deadlock_timeout only after autovacuum alone blocked the step, because PostgreSQL then cancels it", () => {
    assert.deepStrictEqual(
      [[], [client], [client, autovacuum], [autovacuum]].map((blockers) => lockTimeoutAfter(blockers, 1_000)),
      [100, 100, 100, 1_500]
    )
  })
})
