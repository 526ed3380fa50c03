import { Effect, Random } from "effect"
import { isAway } from "../kernel/index.ts"

/**
 * Whoever works in the background goes on after a failure, and says so. An outage of the database is told by whoever looks
 * after its connections, once; here it is waited for, by each at moments of its own.
 */
export const goingOn =
  (name: string, lookMillis: number) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A | void, never, R> =>
    Effect.catchCause(run, (cause) =>
      isAway(cause)
        ? Effect.flatMap(Random.nextBetween(0.5, 1.5), (jitter) => Effect.sleep(Math.min(lookMillis, 1_000) * jitter))
        : Effect.logError(`${name}: it failed, and goes on`, cause)
    )
