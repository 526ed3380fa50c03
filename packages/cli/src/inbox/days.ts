import { DateTime } from "effect"

const midnightOf = (at: DateTime.Zoned): number => {
  const { day, month, year } = DateTime.toParts(at)
  return DateTime.toEpochMillis(DateTime.makeUnsafe({ day, month, year }))
}

const dayMillis = 86_400_000

/** How many days ago it was, counted by the calendar of the person who looks at it. */
const daysSince = (at: DateTime.Zoned, now: DateTime.Zoned) =>
  Math.round((midnightOf(now) - midnightOf(at)) / dayMillis)

const zoned = (at: DateTime.DateTime, now: DateTime.Zoned) => DateTime.setZone(at, now.zone)

const written = (at: DateTime.Zoned, options: Intl.DateTimeFormatOptions) =>
  DateTime.format(at, { ...options, locale: "en-GB" })

/** The time of the day. */
export const clockAt = (at: DateTime.Utc, now: DateTime.Zoned): string =>
  written(zoned(at, now), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

/** The day, as people say it: today, yesterday or tomorrow, a weekday, a date. */
export const dayAt = (at: DateTime.Utc, now: DateTime.Zoned): string => {
  const there = zoned(at, now)
  const ago = daysSince(there, now)
  if (ago === 0) return "Today"
  if (ago === 1) return "Yesterday"
  if (ago === -1) return "Tomorrow"
  if (Math.abs(ago) < 7) return written(there, { weekday: "long" })
  const isThisYear = DateTime.getPart(there, "year") === DateTime.getPart(now, "year")
  return written(there, { day: "numeric", month: "long", ...(isThisYear ? { weekday: "short" } : { year: "numeric" }) })
}

/** When it was, as short as it can be said: the time if it was today, or else the day. */
export const shortlyAt = (at: DateTime.Utc, now: DateTime.Zoned): string => {
  const there = zoned(at, now)
  const ago = daysSince(there, now)
  if (ago === 0) return clockAt(at, now)
  if (ago === 1) return "Yesterday"
  if (ago > 1 && ago < 7) return written(there, { weekday: "short" })
  return written(there, { day: "numeric", month: "short" })
}
