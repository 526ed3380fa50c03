import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { IndexStep } from "../migrations/index.ts"

const setLockTimeout = (sql: SqlClient.SqlClient, timeout: string) =>
  sql`SELECT set_config('lock_timeout', ${timeout}, false)`

/** An unfinished unique index refuses calls too, so a failed build drops it. The limit keeps an interruption short. */
const dropUnfinished = (sql: SqlClient.SqlClient, name: string) =>
  Effect.andThen(setLockTimeout(sql, "10s"), sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql(name)}`).pipe(
    Effect.andThen(setLockTimeout(sql, "0")),
    Effect.catchCause((cause) =>
      Effect.logError(`The unfinished index ${name} stays and can refuse calls. The next run drops it.`, cause)
    )
  )

/**
 * Builds an index next to running calls. The wait for their transactions blocks no call, so it has no limit. An earlier run can have left the whole
 * index, or an invalid one.
 */
export const buildIndex = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { index }: IndexStep) {
  const { isUnique, name, on, table } = index
  const [found] = yield* sql<{ readonly isValid: boolean }>`
    SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(${`"${name}"`})`
  if (found?.isValid === true) return
  if (found !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`
  const create = sql.literal(isUnique ? "CREATE UNIQUE INDEX CONCURRENTLY" : "CREATE INDEX CONCURRENTLY")
  yield* Effect.onError(sql`${create} ${sql(name)} ON ${sql(table)} ${sql.literal(on)}`, () =>
    dropUnfinished(sql, name)
  )
})
