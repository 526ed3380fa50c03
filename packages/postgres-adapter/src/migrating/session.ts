import { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "../kernel/advisoryKey.ts"
import { realTime } from "../kernel/realTime.ts"
import { openingOf } from "../platform/background/ownConnection.ts"

/**
 * Opens a session without the timeouts of other statements, of the role and of the database: an index build waits behind old transactions. A step and the
 * lock of the run end together with it.
 */
export const openSession = Effect.gen(function* () {
  const shared = yield* SqlClient.SqlClient
  const opening = Option.getOrNull(Option.map(yield* Effect.serviceOption(PgClient.PgClient), openingOf))
  const sql = yield* opening ?? Effect.succeed(shared)
  yield* sql`
    SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (
      'statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`
  const [own] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
  return { sql, pid: own?.pid ?? 0 }
})

/**
 * Holds the lock of the run until the scope ends. It polls, because a session that waits inside a statement would block an index build of the process
 * that holds the lock.
 */
export const holdRunLock = (sql: SqlClient.SqlClient) => {
  const key = advisoryKey(sql, "migrations")
  const attempt = Effect.map(
    sql<{ readonly isHeld: boolean }>`SELECT pg_try_advisory_lock(${key}) AS "isHeld"`,
    ([row]) => row?.isHeld === true
  )
  const waiting = Effect.gen(function* () {
    if (yield* attempt) return
    yield* Effect.logInfo("Another process migrates the database. This process waits for it.")
    while (!(yield* attempt)) yield* Effect.sleep("200 millis").pipe(Effect.provide(realTime))
  })
  return Effect.acquireRelease(waiting, () => Effect.ignore(sql`SELECT pg_advisory_unlock(${key})`), {
    interruptible: true
  })
}
