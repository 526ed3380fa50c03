import { Effect } from "effect"
import { SqlError } from "effect/sql"

const isSqlError = <E>(error: E): error is Extract<E, SqlError.SqlError> => SqlError.isSqlError(error)

/** Driver failures are nobody's business but the operator's: they die. */
export const driverFailuresDie = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(effect, isSqlError<E>, (error) => Effect.die(error))
