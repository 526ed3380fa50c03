import { StorageUnavailable } from "@parley/domain/kernel"
import { outageOf } from "@parley/pg-pipeline"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"

/** Defect for a driver failure. An outage has a separate type, because callers must distinguish it from internal errors. */
export const defectOf = (error: SqlError.SqlError) => {
  const outage = outageOf(error)
  return outage === null ? error : new StorageUnavailable({ ...outage, cause: error })
}

/** Reason of a cause, with an outage in place of the driver defect. */
const withOutage = <E>(reason: Cause.Reason<E>): Cause.Reason<E> =>
  Cause.isDieReason(reason) && SqlError.isSqlError(reason.defect)
    ? Cause.makeDieReason(defectOf(reason.defect))
    : reason

const withDefect = <E>(reason: Cause.Reason<E>): Cause.Reason<Exclude<E, SqlError.SqlError>> =>
  (Cause.isFailReason(reason) && SqlError.isSqlError(reason.error)
    ? Cause.makeDieReason(defectOf(reason.error))
    : withOutage(reason)) as Cause.Reason<Exclude<E, SqlError.SqlError>>

/** Turns driver failures into defects. Includes failures that a clean-up already raised as defects. */
export const orDieSqlErrors = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catchCause(effect, ({ reasons }) => Effect.failCause(Cause.fromReasons(reasons.map(withDefect))))

/** Turns driver defects into outages if they are outages. */
export const outagesInside = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchCause(effect, ({ reasons }) => Effect.failCause(Cause.fromReasons(reasons.map(withOutage))))
