import { outageIn } from "@parley/domain"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { outageOf } from "./outageOf.ts"

const isSqlError = <E>(error: E): error is Extract<E, SqlError.SqlError> => SqlError.isSqlError(error)

/** What a driver failure dies of: an outage where that is one, for it is told apart from faults of ours. */
export const defectOf = (error: SqlError.SqlError) => outageOf(error) ?? error

/** Driver failures are nobody's business but the operator's: they die. */
export const driverFailuresDie = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(effect, isSqlError<E>, (error) => Effect.die(defectOf(error)))

/** What died of the driver somewhere on the way, as its clean-up does, died of an outage too where that is one. */
export const outagesInside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) =>
    outageIn(cause) === null && cause.reasons.some((reason) => Cause.isDieReason(reason) && isSqlError(reason.defect))
      ? Effect.failCause(
          Cause.fromReasons(
            cause.reasons.map((reason) =>
              Cause.isDieReason(reason) && SqlError.isSqlError(reason.defect)
                ? Cause.makeDieReason(defectOf(reason.defect))
                : reason
            )
          )
        )
      : Effect.failCause(cause)
  )
