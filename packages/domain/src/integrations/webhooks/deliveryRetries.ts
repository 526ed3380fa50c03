import { DateTime, Duration, Effect, Random } from "effect"

/** How long to wait before each attempt of a delivery: the first comes at once, the last after almost three days. */
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

/** After this a delivery that waits behind an open circuit has failed. */
export const maxDeliveryAge = Duration.hours(72)

const maxJitter = 0.05

const maxRequestedDelay = Duration.hours(1)

/** A receiver that asks for patience gets it, up to an hour. */
const requestedDelay = (retryAfterSeconds: number | null) =>
  Duration.min(Duration.seconds(Math.max(0, retryAfterSeconds ?? 0)), maxRequestedDelay)

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
  const gap = retryDelays[spent]
  if (gap === undefined) return null
  const wait = Duration.times(gap, 1 + maxJitter * jitter)
  return DateTime.addDuration(now, Duration.max(wait, requestedDelay(retryAfterSeconds)))
}

/** As `nextAttempt`, with a jitter of its own. */
export const nextAttemptAfter = (spent: number, now: DateTime.Utc, retryAfterSeconds: number | null) =>
  Effect.map(Random.next, (jitter) => nextAttempt(spent, now, retryAfterSeconds, jitter))

/** How a receiver is doing. Only the sender writes it, so it raises no version. */
export interface EndpointHealth {
  readonly circuit: "closed" | "open"
  /** How many attempts in a row have failed. */
  readonly failures: number
  /** Since the first of them; `null` when the last attempt was a success, or there was none. */
  readonly failingSince: DateTime.Utc | null
  /** When the next delivery is tried while the circuit is open. */
  readonly probeAt: DateTime.Utc | null
  readonly lastSuccessAt: DateTime.Utc | null
  /** When the organization was told that it fails. */
  readonly warnedAt: DateTime.Utc | null
}

/** A receiver that nothing was ever sent to. */
export const newHealth: EndpointHealth = {
  circuit: "closed",
  failures: 0,
  failingSince: null,
  probeAt: null,
  lastSuccessAt: null,
  warnedAt: null
}

/** So many failures in a row open the circuit. */
export const failuresToOpen = 10

/** How long to wait before the first probe; each one that fails doubles it, up to half an hour. */
const firstProbeAfter = Duration.minutes(1)
const maxProbeDelay = Duration.minutes(30)

/** After failing for so long, people are told; after failing for so much longer and so often, nothing is sent any more. */
export const warnAfter = Duration.hours(24)
export const disableAfter = Duration.hours(120)
export const failuresToDisable = 20

/** How long to wait for the next probe after so many failures in a row. */
export const probeDelay = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstProbeAfter, 2 ** Math.min(failures - failuresToOpen, 10)), maxProbeDelay)

/** What a success makes of it: the circuit closes, and all failures are forgotten. */
export const afterSuccess = (now: DateTime.Utc): EndpointHealth => ({ ...newHealth, lastSuccessAt: now })

/**
 * What a failure makes of it. While the circuit is open, only a probe says anything new: what was on its way when it opened is
 * counted, and does not put off the next probe.
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

/** Whether people have to be told that the receiver fails, or nothing is to be sent to it any more. */
export const circuitDecision = (health: EndpointHealth, now: DateTime.Utc): "warn" | "disable" | null => {
  const { failingSince, failures, warnedAt } = health
  if (failingSince === null) return null
  const hasLasted = (long: Duration.Duration) => !DateTime.isLessThan(now, DateTime.addDuration(failingSince, long))
  if (failures >= failuresToDisable && hasLasted(disableAfter)) return "disable"
  return warnedAt === null && hasLasted(warnAfter) ? "warn" : null
}
