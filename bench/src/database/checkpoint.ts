import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Writes pending changes of earlier rounds to disk: no round pays for another. */
export const checkpoint = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CHECKPOINT`)
