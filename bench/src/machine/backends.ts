import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** PostgreSQL processes of this database, including processes of the bench: it runs some contestants. */
export const backends = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()`
  return rows.map(({ pid }) => pid)
})
