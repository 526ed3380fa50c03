import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backends } from "../machine/backends.ts"
import { figure } from "../report/table.ts"
import { cpuSecondsBetween, usesOf } from "../machine/ProcessUse.ts"

const counters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly statements: number; readonly rows: number; readonly walBytes: number }>`
    SELECT sum(calls)::float8 AS statements, sum(rows) FILTER (WHERE query ~* '^\\s*(INSERT|UPDATE|DELETE|WITH)')::float8 AS rows,
      (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS "walBytes"
    FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    GROUP BY ()`.unprepared
  return row ?? { statements: 0, rows: 0, walBytes: 0 }
})

/** Statements of the database, the most frequent first. */
export const statements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{
    readonly calls: number
    readonly millis: number
    readonly walBytes: number
    readonly query: string
  }>`
    SELECT calls::float8, total_exec_time + total_plan_time AS millis, wal_bytes::float8 AS "walBytes", regexp_replace(query, '\\s+', ' ', 'g') AS query
    FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    ORDER BY calls DESC LIMIT 200`.unprepared
})

/** Cost of each, as text. */
export const costOfEach = (
  {
    databaseSeconds,
    rows,
    statements,
    walBytes,
    workerSeconds
  }: Omit<Effect.Success<ReturnType<typeof counted>>, "value">,
  count: number
) => {
  const each = (amount: number, digits: number) => figure(amount / count, digits)
  return `${each(statements, 1)} statements, ${each(rows, 1)} rows written, ${each(walBytes / 1_024, 1)} KiB of WAL, ${each(workerSeconds * 1_000, 2)} ms of CPU in the worker and ${each(databaseSeconds * 1_000, 2)} ms in PostgreSQL`
}

/** Database work of an effect, with the CPU time of this process and of the database. */
export const counted = Effect.fnUntraced(function* <A, E, R>(worker: number, effect: Effect.Effect<A, E, R>) {
  yield* (yield* SqlClient.SqlClient)`SELECT pg_stat_statements_reset()`
  const [before, workerBefore, backendsBefore] = [
    yield* counters,
    yield* usesOf([worker]),
    yield* usesOf(yield* backends)
  ]
  const value = yield* effect
  const [after, workerAfter, backendsAfter] = [yield* counters, yield* usesOf([worker]), yield* usesOf(yield* backends)]
  return {
    value,
    statements: after.statements - before.statements,
    rows: after.rows - before.rows,
    walBytes: after.walBytes - before.walBytes,
    workerSeconds: cpuSecondsBetween(workerBefore, workerAfter),
    databaseSeconds: cpuSecondsBetween(backendsBefore, backendsAfter)
  }
})
