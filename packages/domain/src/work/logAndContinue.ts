import { Effect, Random } from "effect"
import { isAway } from "../kernel/index.ts"

/**
 * Logs a failure and continues. An outage of the database is logged once, by the connections; here it only delays the next
 * attempt, with jitter.
 */
export const logAndContinue =
  (name: string, lookMillis: number) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A | void, never, R> =>
    Effect.catchCause(run, (cause) =>
      isAway(cause)
        ? Effect.flatMap(Random.nextBetween(0.5, 1.5), (jitter) => Effect.sleep(Math.min(lookMillis, 1_000) * jitter))
        : Effect.logError(`${name}: it failed, and goes on`, cause)
    )
