import { Clock, Duration, Effect } from "effect"

/** Does something as if it were so long ago. */
export const earlier =
  (ago: Duration.Input) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const millis = Duration.toMillis(ago)
    return Effect.updateService(effect, Clock.Clock, (clock): Clock.Clock => {
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() - millis
      const currentTimeNanosUnsafe = () => clock.currentTimeNanosUnsafe() - BigInt(Math.trunc(millis)) * 1_000_000n
      return {
        currentTimeMillisUnsafe,
        currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
        currentTimeNanosUnsafe,
        currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
    })
  }
