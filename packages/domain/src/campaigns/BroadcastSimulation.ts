import { DateTime, Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { Timestamp } from "../kernel/index.ts"
import type { QuietHours } from "./BroadcastSettings.ts"
import { ExclusionReason } from "./RecipientStatus.ts"
import type { SendWindow } from "./timing/Schedule.ts"
import { commonWindowOpensAt, quietEndsAt, windowOpensAt } from "./timing/quietHours.ts"

/** Input for a simulation, which sends nothing. */
export const NewBroadcastSimulation = Schema.Struct({
  at: Schema.optionalKey(Timestamp).annotateKey({
    description: "Start time. Default: the schedule, otherwise now."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Contact to simulate." })
}).annotate({ identifier: "NewBroadcastSimulation" })
export type NewBroadcastSimulation = typeof NewBroadcastSimulation.Type

/** Forecast of a broadcast from the current data. */
export const BroadcastSimulation = Schema.Struct({
  toSend: Schema.Int,
  firstAt: Schema.NullOr(Timestamp),
  lastAt: Schema.NullOr(Timestamp),
  hours: Schema.Array(Schema.Struct({ at: Timestamp, count: Schema.Int })),
  limitedBy: Schema.Array(Schema.Literals(["daily_limit", "quiet_hours", "window", "throttle"])),
  /** Used and maximum recipients of the plan this month. */
  plan: Schema.Struct({ used: Schema.Int, max: Schema.Int }),
  warnings: Schema.Array(
    Schema.Struct({ code: Schema.Literals(["end_by_too_early", "plan_limit"]), detail: Schema.String })
  ),
  /** Outcome for the requested contact; `null` without one. */
  contact: Schema.NullOr(
    Schema.Struct({
      outcome: Schema.Literals(["sent", "excluded", "held_out", "not_matched"]),
      reason: Schema.NullOr(ExclusionReason)
    })
  )
}).annotate({ identifier: "BroadcastSimulation" })
export type BroadcastSimulation = typeof BroadcastSimulation.Type

/** Limit that slows a broadcast down. */
export type SimulatedLimit = "daily_limit" | "quiet_hours" | "window" | "throttle"

/** A count at one instant. */
interface TimedCount {
  readonly at: DateTime.Utc
  readonly count: number
}

/** A number of contacts with the same possible zones. */
export interface SimulatedZone {
  readonly zones: ReadonlyArray<DateTime.TimeZone>
  readonly count: number
  /** Due time in contact time; `null` if the broadcast does not use contact time. */
  readonly dueAt: DateTime.Utc | null
}

/** Known facts about a broadcast before it is sent. */
export interface SimulationInput {
  /** Recipients grouped by zone; by their own zones if any limit uses contact time. */
  readonly zones: ReadonlyArray<SimulatedZone>
  readonly startsAt: DateTime.Utc
  readonly endsAt: DateTime.Utc
  /** Messages per second. */
  readonly accountRate: number
  /** Messages per minute; `null` for the rate of the account. */
  readonly throttle: number | null
  /** People that the business can write to first in 24 hours, and those already reached with times; `null` without a limit. */
  readonly dailyLimit: { readonly most: number; readonly reached: ReadonlyArray<TimedCount> } | null
  readonly quietHours: QuietHours | null
  /** Send time, in the zone of the organization or in contact time. */
  readonly window: (SendWindow & { readonly zone: DateTime.TimeZone; readonly isByContacts: boolean }) | null
}

/** Forecast of a broadcast. */
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

const findOpening = (
  window: NonNullable<SimulationInput["window"]>,
  zones: ReadonlyArray<DateTime.TimeZone>,
  at: DateTime.Utc
) =>
  window.isByContacts ? commonWindowOpensAt(window, zones, window.zone, at) : windowOpensAt(window, window.zone, at)

/** Returns the end of the wait of a zone and the limit that causes it; `null` without a wait. */
const findWait = ({ quietHours, window }: SimulationInput, { dueAt, zones }: SimulatedZone, now: number) => {
  const at = DateTime.makeUnsafe(now)
  if (dueAt !== null && DateTime.isGreaterThan(dueAt, at)) return { until: DateTime.toEpochMillis(dueAt), limit: null }
  const quiet = quietHours === null ? null : quietEndsAt(quietHours, zones, at)
  if (quiet !== null) return { until: DateTime.toEpochMillis(quiet), limit: "quiet_hours" } as const
  const opensAt = window === null ? now : DateTime.toEpochMillis(findOpening(window, zones, at))
  return opensAt > now ? ({ until: opensAt, limit: "window" } as const) : null
}

/** Subtracts a count from the zones, in their order. */
const subtractCount = <Zone extends SimulatedZone>(
  zones: ReadonlyArray<Zone>,
  from: ReadonlySet<Zone>,
  count: number
) => {
  let left = count
  return zones.map((each) => {
    const taken = from.has(each) ? Math.min(each.count, left) : 0
    left -= taken
    return { ...each, count: each.count - taken }
  })
}

const sumOf = (parts: Iterable<{ readonly count: number }>) =>
  Array.from(parts).reduce((sum, { count }) => sum + count, 0)

/** Simulates a broadcast in steps of a quarter hour. */
export const simulate = (broadcast: SimulationInput): Simulation => {
  const { accountRate, dailyLimit, throttle } = broadcast
  const toSend = sumOf(broadcast.zones)
  const end = DateTime.toEpochMillis(broadcast.endsAt)
  const perMinute = Math.min(accountRate * 60, throttle ?? Number.POSITIVE_INFINITY)
  const limitedBy = new Set<SimulatedLimit>()
  if (throttle !== null && throttle < accountRate * 60 && toSend > throttle) limitedBy.add("throttle")
  const hours = new Map<number, number>()
  let recent = (dailyLimit?.reached ?? []).map(({ at, count }) => ({ at: DateTime.toEpochMillis(at), count }))
  let zones = broadcast.zones.filter(({ count }) => count > 0)
  let [now, sent] = [DateTime.toEpochMillis(broadcast.startsAt), 0]
  let [first, last]: [number | null, number | null] = [null, null]
  while (zones.length > 0 && now < end) {
    const [from] = [now]
    const waits = zones.map((each) => ({ each, wait: findWait(broadcast, each, from) }))
    for (const { wait } of waits) if (wait !== null && wait.limit !== null) limitedBy.add(wait.limit)
    const awake = new Set(waits.flatMap(({ each, wait }) => (wait === null ? [each] : [])))
    if (awake.size === 0) {
      now = Math.min(...waits.map(({ wait }) => wait?.until ?? end))
      continue
    }
    const next = Math.min(now - (now % step) + step, end)
    recent = recent.filter((each) => each.at > from - day)
    const left = (dailyLimit?.most ?? Number.POSITIVE_INFINITY) - sumOf(recent)
    const possible = Math.min(sumOf(awake), Math.max(1, Math.floor((perMinute * (next - now)) / minute)))
    const count = Math.max(0, Math.min(possible, left))
    if (count < possible) limitedBy.add("daily_limit")
    if (count > 0) {
      first ??= now
      last = Math.min(next, now + Math.ceil((count / perMinute) * minute))
      const begin = now - (now % hour)
      hours.set(begin, (hours.get(begin) ?? 0) + count)
      recent = [...recent, { at: now, count }]
      zones = subtractCount(zones, awake, count).filter((each) => each.count > 0)
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
