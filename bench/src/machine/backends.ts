import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The processes of PostgreSQL that serve this database to applications other than the bench. */
export const backends = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  return rows.map(({ pid }) => pid)
})
