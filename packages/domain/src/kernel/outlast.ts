import { type Cause, Effect, Schedule } from "effect"
import { isAway } from "./StorageUnavailable.ts"

const tries = { schedule: Schedule.jittered(Schedule.spaced("250 millis")), times: 240 }

/** Does it once the storage is there again, if that is within a minute or so. */
export const outlast = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ ...tries, while: isAway }),
    Effect.catch((cause: Cause.Cause<E>) => Effect.failCause(cause))
  )
