import { Clock, DateTime, Effect } from "effect"

/** Clock of a test. Only waits move it. */
export interface VirtualClock {
  millis: number
}

/** Moves the clock to a later time. */
export const moveClock = (clock: VirtualClock, to: DateTime.Utc): void => {
  clock.millis = Math.max(clock.millis, DateTime.toEpochMillis(to))
}

/** Provides the virtual clock to an effect. Delays inside of it, such as deadlines of the storage, still take real time. */
export const onVirtualClock =
  (clock: VirtualClock) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const nanos = () => BigInt(clock.millis) * 1_000_000n
    return Effect.updateService(effect, Clock.Clock, (real): Clock.Clock => ({
      currentTimeMillisUnsafe: () => clock.millis,
      currentTimeMillis: Effect.sync(() => clock.millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }))
  }
