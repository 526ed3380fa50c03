import { DateTime } from "effect"
import { quietUntil, type SendWindow, windowOpensAt } from "../timing/index.ts"
import type { QuietHours } from "../BroadcastSettings.ts"

/** What slows a broadcast down. */
export type SimulatedLimit = "daily_limit" | "quiet_hours" | "window" | "throttle"

/** So many, at once. */
interface Counted {
  readonly at: DateTime.Utc
  readonly count: number
}

/** What is known of a broadcast before it is sent. */
export interface Simulated {
  readonly toSend: number
  readonly startsAt: DateTime.Utc
  readonly endsAt: DateTime.Utc
  readonly zone: DateTime.TimeZone
  /** Messages per second. */
  readonly accountRate: number
  /** Messages per minute; `null` is as fast as the account may. */
  readonly throttle: number | null
  /** How many people may be written to in 24 hours, and how many were, and when; `null` where nothing limits them. */
  readonly dailyLimit: { readonly most: number; readonly reached: ReadonlyArray<Counted> } | null
  readonly quietHours: QuietHours | null
  readonly window: SendWindow | null
}

/** How a broadcast would go. */
export interface Simulation {
  readonly sent: number
  readonly firstAt: DateTime.Utc | null
  readonly lastAt: DateTime.Utc | null
  readonly hours: ReadonlyArray<{ readonly at: DateTime.Utc; readonly count: number }>
  readonly limitedBy: ReadonlyArray<SimulatedLimit>
}

const minute = 60_000
const step = 15 * minute
const hour = 60 * minute
const day = 24 * hour

/** Reckons how a broadcast would go, a quarter of an hour at a time, by the clocks of one zone. */
export const simulate = (broadcast: Simulated): Simulation => {
  const { accountRate, dailyLimit, quietHours, throttle, toSend, window, zone } = broadcast
  const end = DateTime.toEpochMillis(broadcast.endsAt)
  const perMinute = Math.min(accountRate * 60, throttle ?? Number.POSITIVE_INFINITY)
  const limitedBy = new Set<SimulatedLimit>()
  if (throttle !== null && throttle < accountRate * 60 && toSend > throttle) limitedBy.add("throttle")
  const hours = new Map<number, number>()
  let recent = (dailyLimit?.reached ?? []).map(({ at, count }) => ({ at: DateTime.toEpochMillis(at), count }))
  let [now, sent] = [DateTime.toEpochMillis(broadcast.startsAt), 0]
  let [first, last]: [number | null, number | null] = [null, null]
  while (sent < toSend && now < end) {
    const at = DateTime.makeUnsafe(now)
    const quiet = quietHours === null ? null : quietUntil(quietHours, zone, at)
    if (quiet !== null) {
      limitedBy.add("quiet_hours")
      now = DateTime.toEpochMillis(quiet)
      continue
    }
    const opensAt = window === null ? now : DateTime.toEpochMillis(windowOpensAt(window, zone, at))
    if (opensAt > now) {
      limitedBy.add("window")
      now = opensAt
      continue
    }
    const next = Math.min(now - (now % step) + step, end)
    const [from] = [now]
    recent = recent.filter((each) => each.at > from - day)
    const left = (dailyLimit?.most ?? Number.POSITIVE_INFINITY) - recent.reduce((sum, { count }) => sum + count, 0)
    const possible = Math.min(toSend - sent, Math.max(1, Math.floor((perMinute * (next - now)) / minute)))
    const count = Math.max(0, Math.min(possible, left))
    if (count < possible) limitedBy.add("daily_limit")
    if (count > 0) {
      first ??= now
      last = Math.min(next, now + Math.ceil((count / perMinute) * minute))
      const begin = now - (now % hour)
      hours.set(begin, (hours.get(begin) ?? 0) + count)
      recent = [...recent, { at: now, count }]
      sent += count
    }
    now = next
  }
  const timeOf = (millis: number | null) => (millis === null ? null : DateTime.makeUnsafe(millis))
  return {
    sent,
    firstAt: timeOf(first),
    lastAt: timeOf(last),
    hours: Array.from(hours, ([at, count]) => ({ at: DateTime.makeUnsafe(at), count })),
    limitedBy: Array.from(limitedBy)
  }
}
