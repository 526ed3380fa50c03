import { DateTime, type Duration } from "effect"
import { type Weekday, weekdayNames, type SendWindow } from "./Schedule.ts"
import { toInstant } from "./timeZones.ts"

interface Span {
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** From one clock time to another; an earlier end is on the next day. */
type Hours = Pick<SendWindow, "from" | "to">

/** Spans past midnight start on the day before. If a zone skips a day, the same weekday recurs within a week and a day. */
const firstDayOffset = -1
const lastDayOffset = 9

const spanOn = (day: DateTime.Utc, { from, to }: Hours, zone: DateTime.TimeZone): Span => {
  const last = to < from ? DateTime.add(day, { days: 1 }) : day
  return {
    begins: toInstant(`${DateTime.formatIsoDateUtc(day)}T${from}`, zone),
    ends: toInstant(`${DateTime.formatIsoDateUtc(last)}T${to}`, zone)
  }
}

const dayOf = (day: DateTime.Utc): Weekday | undefined => weekdayNames[(DateTime.getPartUtc(day, "weekDay") + 6) % 7]

/** Returns the current span of these hours, or the next one. */
const currentOrNextSpan = (
  hours: Hours,
  on: ReadonlyArray<Weekday>,
  zone: DateTime.TimeZone,
  now: DateTime.Utc
): Span | undefined => {
  const today = DateTime.makeUnsafe(`${DateTime.formatIsoDate(DateTime.setZone(now, zone))}T00:00:00Z`)
  for (let ahead = firstDayOffset; ahead <= lastDayOffset; ahead += 1) {
    const day = DateTime.add(today, { days: ahead })
    if (!on.some((each) => each === dayOf(day))) continue
    const span = spanOn(day, hours, zone)
    // Nothing is left of hours that a clock change skips.
    if (DateTime.isLessThan(now, span.ends) && DateTime.isLessThan(span.begins, span.ends)) return span
  }
  return undefined
}

type Zones = ReadonlyArray<DateTime.TimeZone>

/** Returns the first time from `from` on that satisfies `next` in each zone; `null` if none exists before `limit`. */
const firstCommonTime = (
  zones: Zones,
  from: DateTime.Utc,
  limit: Duration.Input,
  next: (zone: DateTime.TimeZone, at: DateTime.Utc) => DateTime.Utc
): DateTime.Utc | null => {
  const end = DateTime.addDuration(from, limit)
  let at = from
  while (DateTime.isLessThan(at, end)) {
    const latest = zones.map((zone) => next(zone, at)).reduce(DateTime.max, at)
    if (DateTime.isLessThanOrEqualTo(latest, at)) return at
    at = latest
  }
  return null
}

/** Returns the next opening of the window in the zone: now, if it is open. */
export const windowOpensAt = (window: SendWindow, zone: DateTime.TimeZone, now: DateTime.Utc): DateTime.Utc => {
  const span = currentOrNextSpan(window, window.days, zone, now)
  return span === undefined ? now : DateTime.max(span.begins, now)
}

/** Returns the end of the current quiet hours in the zone; `null` outside of them. */
export const quietUntil = (quiet: Hours, zone: DateTime.TimeZone, now: DateTime.Utc): DateTime.Utc | null => {
  const span = currentOrNextSpan(quiet, weekdayNames, zone, now)
  return span !== undefined && DateTime.isLessThanOrEqualTo(span.begins, now) ? span.ends : null
}

/** Every local time occurs within two days, including clock changes. */
const searchLimit = "2 days"

/**
 * Returns the end of quiet hours in all of these zones; `null` if none of them has quiet hours now. Without a common end within two days, the result
 * is one day from now.
 */
export const quietEndsAt = (quiet: Hours, zones: Zones, now: DateTime.Utc): DateTime.Utc | null => {
  const firstTimeOutside = firstCommonTime(zones, now, searchLimit, (zone, at) => quietUntil(quiet, zone, at) ?? at)
  if (firstTimeOutside === null) return DateTime.add(now, { days: 1 })
  return DateTime.isGreaterThan(firstTimeOutside, now) ? firstTimeOutside : null
}

/** Returns the time when the window is open in all of these zones. If that never happens, returns the time when it opens in the other zone. */
export const commonWindowOpensAt = (
  window: SendWindow,
  zones: Zones,
  otherwise: DateTime.TimeZone,
  now: DateTime.Utc
): DateTime.Utc =>
  firstCommonTime(zones, now, { days: lastDayOffset }, (zone, at) => windowOpensAt(window, zone, at)) ??
  windowOpensAt(window, otherwise, now)
