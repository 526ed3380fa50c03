import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@parley/postgres-adapter"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ExpandStep, Migration } from "../src/migrations/index.ts"
import { appliedIds, contractStep, crash, emptied, on, statement, step, table, tables } from "./support/steps.ts"

const three = [step(1, table("one")), step(2, table("two")), step(3, table("three"))]

const drop = statement("DROP TABLE two")

const contract = (steps: ReadonlyArray<Migration>) => Migrations.apply(steps, { phase: "contract", release: "0.3.0" })

/** Why a process of release 0.2.0 cannot start; `null` if it can. */
const olderRefusal = (url: Redacted.Redacted) =>
  Migrations.planOf(three, "0.2.0").pipe(
    Effect.as(null),
    Effect.catchTag("DatabaseNewerThanCode", ({ _tag }) => Effect.succeed(_tag)),
    on(url)
  )

/** Runs a step 4 that fails, after the steps 1 to 3. */
const failing = Effect.fnUntraced(function* (run: (url: Redacted.Redacted) => ExpandStep["run"]) {
  const url = yield* emptied
  yield* Migrations.apply(three).pipe(on(url))
  yield* statement("CREATE TABLE worker_processes (name text, release text, last_seen_at timestamptz)").pipe(on(url))
  const failure = yield* contract([...three, contractStep(4, run(url))]).pipe(on(url), Effect.flip)
  return { url, failure, refusal: yield* olderRefusal(url) }
})

describe("a contract step", () => {
  it.effect("runs only on request, and steps of both phases stay in their order", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const steps = [...three, contractStep(4, drop), step(5, table("five"))]
      yield* Migrations.apply(steps).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 5])
      yield* contract(steps).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 4, 5])
    })
  )

  it.effect("is refused while the database lacks an expand step", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const steps = [...three, contractStep(4, drop), step(5, table("five"))]
      yield* Migrations.apply(three).pipe(on(url))
      const error = yield* contract(steps).pipe(on(url), Effect.flip)
      assert.deepStrictEqual(error._tag === "ExpandMissing" ? error.steps : error._tag, ["5 step 5"])
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3])
    })
  )

  it.effect("is refused until its background task has moved every value", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const isFinished = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(sql`SELECT FROM one WHERE id = 0`, (rows) => rows.length === 0)
      )
      const steps = [...three, contractStep(4, drop, { task: "renumberings", isFinished })]
      yield* Migrations.apply(three).pipe(on(url))
      yield* statement("INSERT INTO one VALUES (0)").pipe(on(url))
      const error = yield* contract(steps).pipe(on(url), Effect.flip)
      assert.deepStrictEqual(error._tag === "BackfillUnfinished" ? [error.step, error.task] : error._tag, [
        "4 step 4",
        "renumberings"
      ])
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3])
      yield* statement("UPDATE one SET id = 1").pipe(on(url))
      yield* contract(steps).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 4])
    })
  )

  it.effect("is refused while a process of an older release runs or was seen in the last minute", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const steps = [...three, contractStep(4, drop)]
      yield* Migrations.apply(three).pipe(on(url))
      const refusal = Effect.gen(function* () {
        const error = yield* contract(steps).pipe(on(url), Effect.flip)
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
      yield* contract(steps).pipe(on(url))
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3, 4])
    })
  )
})

describe("a running contract step", () => {
  it.effect("keeps processes of older releases from a start, until it fails", () =>
    Effect.gen(function* () {
      const seen: Array<string | null> = []
      const { failure, refusal, url } = yield* failing((url) =>
        Effect.gen(function* () {
          seen.push(yield* Effect.orDie(olderRefusal(url)))
          yield* drop
          yield* table("one")
        })
      )
      assert.deepStrictEqual([failure._tag, seen, refusal], ["SqlError", ["DatabaseNewerThanCode"], null])
      assert.deepStrictEqual(yield* appliedIds.pipe(on(url)), [1, 2, 3])
    })
  )

  it.effect("is rolled back when a process of an older release appears", () =>
    Effect.gen(function* () {
      const appears = statement("INSERT INTO worker_processes VALUES ('node:7', '0.2.0', to_timestamp(0))")
      const { failure, refusal, url } = yield* failing((url) => Effect.andThen(drop, appears.pipe(on(url))))
      assert.deepStrictEqual(failure._tag === "OlderProcesses" ? failure.processes : failure._tag, ["node:7 (0.2.0)"])
      assert.strictEqual(refusal, null)
      assert.include(yield* tables.pipe(on(url)), "two")
    })
  )

  it.effect("still refuses older releases after it is killed, and the next run completes it", () =>
    Effect.gen(function* () {
      const { refusal, url } = yield* failing(() => Effect.andThen(drop, crash))
      assert.strictEqual(refusal, "DatabaseNewerThanCode")
      const taken = yield* contract([...three, contractStep(4, drop)]).pipe(on(url))
      assert.deepStrictEqual(
        taken.map(({ id }) => id),
        [4]
      )
      assert.notInclude(yield* tables.pipe(on(url)), "two")
      assert.strictEqual(yield* olderRefusal(url), "DatabaseNewerThanCode")
    })
  )
})
