import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "./kernel/columns.ts"

/** Version and clock of the database server. */
export const inspect = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly number: number; readonly version: string; readonly now: Instant }>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
      clock_timestamp() AS now`
  return row === undefined
    ? yield* Effect.die(new Error("The database did not answer."))
    : { major: Math.floor(row.number / 10_000), version: row.version, now: utc(row.now) }
})
