import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { outageOf } from "./outageOf.ts"

/** The defect for a driver failure: an outage where it is one, because callers must tell it from faults of ours. */
export const defectOf = (error: SqlError.SqlError) => outageOf(error) ?? error

/** A reason of a cause with the outage in place of the driver's defect. */
const withOutage = <E>(reason: Cause.Reason<E>): Cause.Reason<E> =>
  Cause.isDieReason(reason) && SqlError.isSqlError(reason.defect)
    ? Cause.makeDieReason(defectOf(reason.defect))
    : reason

const withDefect = <E>(reason: Cause.Reason<E>): Cause.Reason<Exclude<E, SqlError.SqlError>> =>
  (Cause.isFailReason(reason) && SqlError.isSqlError(reason.error)
    ? Cause.makeDieReason(defectOf(reason.error))
    : withOutage(reason)) as Cause.Reason<Exclude<E, SqlError.SqlError>>

/** Turns driver failures into defects, also those that are defects already because a clean-up raised them. */
export const driverFailuresDie = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catchCause(effect, ({ reasons }) => Effect.failCause(Cause.fromReasons(reasons.map(withDefect))))

/** Turns defects of the driver into outages where they are outages. */
export const outagesInside = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchCause(effect, ({ reasons }) => Effect.failCause(Cause.fromReasons(reasons.map(withOutage))))
