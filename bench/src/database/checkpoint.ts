import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Writes out what earlier rounds have left, so that none pays for another. */
export const checkpoint = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CHECKPOINT`)
