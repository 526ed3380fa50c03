import { DateTime, Duration, Random, Effect } from "effect"

/** How long to wait before each attempt of a delivery: the first comes at once, the last after almost three days. */
export const gaps = [
  Duration.zero,
  Duration.seconds(5),
  Duration.minutes(1),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(18),
  Duration.hours(22)
] as const

/** After this a delivery that waits behind an open circuit has failed. */
export const deliveryLife = Duration.hours(72)

const mostJitter = 0.05

const longestAsked = Duration.hours(1)

/** A receiver that asks for patience gets it, up to an hour. */
const asked = (retryAfterSeconds: number | null) =>
  Duration.min(Duration.seconds(Math.max(0, retryAfterSeconds ?? 0)), longestAsked)

/**
 * When a delivery is tried again after so many scheduled attempts; `null`: never. `jitter`, from 0 to 1, keeps what failed
 * together from coming back together.
 */
export const nextAttempt = (
  spent: number,
  now: DateTime.Utc,
  retryAfterSeconds: number | null,
  jitter: number
): DateTime.Utc | null => {
  const gap = gaps[spent]
  if (gap === undefined) return null
  const wait = Duration.times(gap, 1 + mostJitter * jitter)
  return DateTime.addDuration(now, Duration.max(wait, asked(retryAfterSeconds)))
}

/** As `nextAttempt`, with a jitter of its own. */
export const nextAttemptAfter = (spent: number, now: DateTime.Utc, retryAfterSeconds: number | null) =>
  Effect.map(Random.next, (jitter) => nextAttempt(spent, now, retryAfterSeconds, jitter))
