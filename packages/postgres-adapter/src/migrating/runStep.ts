import { Clock, DateTime, Duration, Effect, Fiber, Random, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import type { IndexStep, Migration, TransactionalStep } from "../migrations/index.ts"
import { type Blocker, described, MigrationBlocked, watchBlockers } from "./blockers.ts"

/** A step waits no longer for a lock, because calls queue behind it. */
const lockTimeout = "100ms"

const shortestPauseMillis = 200
const longestPauseMillis = 2_000

const contended: ReadonlySet<string> = new Set(["DeadlockError", "LockTimeoutError"])

/** Session and release that apply a step. */
export interface Run {
  readonly sql: SqlClient.SqlClient
  readonly pid: number
  readonly release: string
  readonly lockWait: Duration.Duration
}

const recordOf = Effect.fnUntraced(function* ({ release, sql }: Run, step: Migration, since: number) {
  const { compatibleFrom, id, name, phase } = step
  const now = yield* DateTime.now
  const seconds = (DateTime.toEpochMillis(now) - since) / 1_000
  yield* sql`
    INSERT INTO parley_migrations (id, name, applied_at, release, phase, compatible_from, seconds)
    VALUES (${id}, ${name}, ${stamp(now)}, ${release}, ${phase}, ${compatibleFrom}, ${seconds})`
})

const inTransaction = (run: Run, step: TransactionalStep, since: number) =>
  run.sql
    .withTransaction(
      Effect.gen(function* () {
        yield* run.sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`
        yield* Effect.provideService(step.run, SqlClient.SqlClient, run.sql)
        yield* recordOf(run, step, since)
      })
    )
    // The rollback of a lost session fails too, as a defect.
    .pipe(
      Effect.catchDefect((defect) => (defect instanceof SqlError.SqlError ? Effect.fail(defect) : Effect.die(defect)))
    )

/**
 * Builds an index next to running calls. The wait for their transactions blocks no call, so it has no limit. An earlier run can have left the whole
 * index, or an invalid one.
 */
const buildIndex = Effect.fnUntraced(function* ({ sql }: Run, { index: { isUnique, name, on, table } }: IndexStep) {
  const [found] = yield* sql<{ readonly isValid: boolean }>`
    SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(${`"${name}"`})`
  if (found?.isValid === true) return
  if (found !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`
  const create = sql.literal(isUnique ? "CREATE UNIQUE INDEX CONCURRENTLY" : "CREATE INDEX CONCURRENTLY")
  yield* sql`${create} ${sql(name)} ON ${sql(table)} ${sql.literal(on)}`
})

const attempt = Effect.fnUntraced(function* (run: Run, step: Migration) {
  const since = yield* Clock.currentTimeMillis
  if (step.transactional) return yield* inTransaction(run, step, since)
  yield* buildIndex(run, step)
  yield* recordOf(run, step, since)
})

const isContended = ({ reason }: SqlError.SqlError) => contended.has(reason._tag)

/** Applies a step. Repeats it after a pause while other transactions hold its locks. */
export const runStep = Effect.fnUntraced(function* (run: Run, step: Migration) {
  const shared = yield* SqlClient.SqlClient
  const since = yield* Clock.currentTimeMillis
  let blockers: ReadonlyArray<Blocker> = []
  const name = `${step.id} ${step.name}`
  for (let count = 0; ; count += 1) {
    const watcher = yield* Effect.forkChild(
      watchBlockers(shared, run.pid, (found) => {
        blockers = found
      })
    )
    const result = yield* Effect.ensuring(Effect.result(attempt(run, step)), Fiber.interrupt(watcher))
    if (Result.isSuccess(result)) return
    if (!isContended(result.failure)) return yield* result.failure
    const left = Duration.toMillis(run.lockWait) - ((yield* Clock.currentTimeMillis) - since)
    if (left <= 0) {
      const waitedSeconds = Duration.toSeconds(run.lockWait)
      return yield* new MigrationBlocked({ step: name, waitedSeconds, blockers: blockers.map(described) })
    }
    if (count === 0) yield* Effect.logWarning(`Migration ${name} waits for: ${blockers.map(described).join("; ")}`)
    const pause = yield* Random.nextBetween(shortestPauseMillis, longestPauseMillis)
    yield* Effect.sleep(Math.min(pause, left))
  }
})
