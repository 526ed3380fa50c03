import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Runs a statement in a savepoint, so the unit of work can continue after a violation of the constraint. Returns `null` then. */
export const unlessTaken = <A>(
  sql: SqlClient.SqlClient,
  constraint: string,
  statement: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A | null, SqlError.SqlError> =>
  Effect.catchTag(sql.withTransaction(statement), "SqlError", (error) =>
    error.reason._tag === "UniqueViolation" && error.reason.constraint === constraint
      ? Effect.succeed(null)
      : Effect.fail(error)
  )
