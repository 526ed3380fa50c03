import { Clock, DateTime, Duration, Effect, Fiber, Random, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Migration, TransactionalStep } from "../migrations/index.ts"
import { type Blocker, described, identified, MigrationBlocked, watchBlockers } from "./blockers.ts"
import { buildIndex } from "./buildIndex.ts"
import { isContract, requireNoOlderProcess, requireUnused } from "./contracting.ts"
import { deleteStart, recordEnd, recordStart } from "./records.ts"

/** A step waits no longer for a lock, because calls queue behind it. */
const lockTimeoutMillis = 100

/** PostgreSQL cancels an autovacuum that blocks a session for `deadlock_timeout`. It then needs this time to end. */
const cancellationMillis = 500

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

/** Lock timeout of an attempt, in milliseconds. It is longer if only autovacuum blocked the last attempt. */
export const lockTimeoutAfter = (blockers: ReadonlyArray<Blocker>, deadlockTimeoutMillis: number) =>
  blockers.length > 0 && blockers.every(({ isAutovacuum }) => isAutovacuum)
    ? deadlockTimeoutMillis + cancellationMillis
    : lockTimeoutMillis

const readDeadlockTimeout = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly millis: number }>`
      SELECT setting::float8 AS millis FROM pg_settings WHERE name = 'deadlock_timeout'`,
    ([row]) => row?.millis ?? 0
  )

const inTransaction = (run: Run, step: TransactionalStep, lockTimeout: number, since: DateTime.Utc) =>
  run.sql
    .withTransaction(
      Effect.gen(function* () {
        yield* run.sql`SELECT set_config('lock_timeout', ${String(lockTimeout)}, true)`
        yield* Effect.provideService(step.run, SqlClient.SqlClient, run.sql)
        if (isContract(step)) yield* requireNoOlderProcess(run.sql, run.release)
        yield* recordEnd(run, step, since)
      })
    )
    // The rollback of a lost session fails too, as a defect.
    .pipe(
      Effect.catchDefect((defect) => (defect instanceof SqlError.SqlError ? Effect.fail(defect) : Effect.die(defect)))
    )

const attempt = Effect.fnUntraced(function* (run: Run, step: Migration, blockers: ReadonlyArray<Blocker>) {
  const since = yield* DateTime.now
  if (step.transactional) {
    const lockTimeout = lockTimeoutAfter(blockers, yield* readDeadlockTimeout(run.sql))
    return yield* inTransaction(run, step, lockTimeout, since)
  }
  yield* buildIndex(run.sql, step)
  yield* recordEnd(run, step, since)
})

const isContended = (error: { readonly _tag: string }): error is SqlError.SqlError =>
  error instanceof SqlError.SqlError && contended.has(error.reason._tag)

/** Repeats a step after a pause while other transactions hold its locks. */
const repeatWhileBlocked = Effect.fnUntraced(function* (run: Run, step: Migration) {
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
    const result = yield* Effect.ensuring(Effect.result(attempt(run, step, blockers)), Fiber.interrupt(watcher))
    if (Result.isSuccess(result)) return
    if (!isContended(result.failure)) return yield* result.failure
    const left = Duration.toMillis(run.lockWait) - ((yield* Clock.currentTimeMillis) - since)
    if (left <= 0) {
      const waitedSeconds = Duration.toSeconds(run.lockWait)
      return yield* new MigrationBlocked({ step: name, waitedSeconds, blockers: blockers.map(described) })
    }
    if (count === 0) yield* Effect.logWarning(`Migration ${name} waits for: ${blockers.map(identified).join("; ")}`)
    const pause = yield* Random.nextBetween(shortestPauseMillis, longestPauseMillis)
    yield* Effect.sleep(Math.min(pause, left))
  }
})

/**
 * Applies a step. A `contract` step is recorded before it starts: an older process that starts later refuses the database, and an earlier one is visible
 * to the checks.
 */
export const runStep = Effect.fnUntraced(function* (run: Run, step: Migration) {
  if (!isContract(step)) return yield* repeatWhileBlocked(run, step)
  yield* requireUnused(run.sql, run.release, step)
  yield* recordStart(run, step)
  yield* requireUnused(run.sql, run.release, step).pipe(
    Effect.andThen(repeatWhileBlocked(run, step)),
    Effect.onError(() => Effect.ignoreCause(deleteStart(run, step)))
  )
})
