import { DateTime, Duration, Effect, Random } from "effect"

/**
 * Retry back-off: delay before each attempt of a delivery. The first attempt is immediate, the last follows after almost three days. A delivery
 * without a further attempt fails (dead letter) until a user sends it again.
 */
export const retryDelays = [
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

/** Age at which a delivery behind an open circuit fails. */
export const maxDeliveryAge = Duration.hours(72)

const maxJitter = 0.05

const maxRequestedDelay = Duration.hours(1)

/** Returns the delay that the receiver requests, up to one hour. */
const requestedDelay = (retryAfterSeconds: number | null) =>
  Duration.min(Duration.seconds(Math.max(0, retryAfterSeconds ?? 0)), maxRequestedDelay)

/**
 * Returns the time of the next attempt after this number of scheduled attempts; `null` without one. `jitter`, from 0 to 1, spreads the retries of
 * simultaneous failures.
 */
export const nextAttempt = (
  spent: number,
  now: DateTime.Utc,
  retryAfterSeconds: number | null,
  jitter: number
): DateTime.Utc | null => {
  const gap = retryDelays[spent]
  if (gap === undefined) return null
  const wait = Duration.times(gap, 1 + maxJitter * jitter)
  return DateTime.addDuration(now, Duration.max(wait, requestedDelay(retryAfterSeconds)))
}

/** As `nextAttempt`, with a random jitter. */
export const nextAttemptAfter = (spent: number, now: DateTime.Utc, retryAfterSeconds: number | null) =>
  Effect.map(Random.next, (jitter) => nextAttempt(spent, now, retryAfterSeconds, jitter))

/** Health of a receiver. Only the sender writes it, so it does not increment the version. */
export interface EndpointHealth {
  readonly circuit: "closed" | "open"
  /** Number of consecutive failures. */
  readonly failures: number
  /** Time of the first of them; `null` after a success or before the first attempt. */
  readonly failingSince: DateTime.Utc | null
  /** Time of the next probe while the circuit is open. */
  readonly probeAt: DateTime.Utc | null
  readonly lastSuccessAt: DateTime.Utc | null
  /** Time of the warning to the organization. */
  readonly warnedAt: DateTime.Utc | null
}

/** Health of a receiver before its first attempt. */
export const newHealth: EndpointHealth = {
  circuit: "closed",
  failures: 0,
  failingSince: null,
  probeAt: null,
  lastSuccessAt: null,
  warnedAt: null
}

/** Number of consecutive failures that open the circuit. */
export const failuresToOpen = 10

/** Delay before the first probe. Each failed probe doubles it, up to half an hour. */
const firstProbeAfter = Duration.minutes(1)
const maxProbeDelay = Duration.minutes(30)

/** Failure times before the warning and before the disabling. The disabling also requires the number of failures. */
export const warnAfter = Duration.hours(24)
export const disableAfter = Duration.hours(120)
export const failuresToDisable = 20

/** Returns the delay before the next probe after this number of consecutive failures. */
export const probeDelay = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstProbeAfter, 2 ** Math.min(failures - failuresToOpen, 10)), maxProbeDelay)

/** Returns the health after a success: the circuit closes, and the failure count restarts. */
export const afterSuccess = (now: DateTime.Utc): EndpointHealth => ({ ...newHealth, lastSuccessAt: now })

/**
 * Returns the health after a failure. While the circuit is open, only probes are informative. Failures of requests sent before it opened count, but
 * do not postpone the next probe.
 */
export const afterFailure = (health: EndpointHealth, now: DateTime.Utc): EndpointHealth => {
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? now
  if (failures < failuresToOpen) return { ...health, failures, failingSince }
  const isProbe = health.circuit === "open" && health.probeAt !== null && !DateTime.isLessThan(now, health.probeAt)
  const counted = health.circuit === "closed" || isProbe ? failures : health.failures
  const probeAt =
    health.circuit === "closed" || isProbe ? DateTime.addDuration(now, probeDelay(counted)) : health.probeAt
  return { ...health, circuit: "open", failures: counted, failingSince, probeAt }
}

/** Returns whether to warn the organization or to disable the subscription. */
export const circuitDecision = (health: EndpointHealth, now: DateTime.Utc): "warn" | "disable" | null => {
  const { failingSince, failures, warnedAt } = health
  if (failingSince === null) return null
  const hasLasted = (long: Duration.Duration) => !DateTime.isLessThan(now, DateTime.addDuration(failingSince, long))
  if (failures >= failuresToDisable && hasLasted(disableAfter)) return "disable"
  return warnedAt === null && hasLasted(warnAfter) ? "warn" : null
}
