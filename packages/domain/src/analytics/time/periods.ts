import type { DateTime } from "effect"
import {
  type LocalDate,
  addDays,
  datesFrom,
  instantAt,
  localDayOf,
  localTimeOf,
  startOfDay
} from "../../kernel/index.ts"
import type { PeriodName } from "../answers/Overview.ts"

/** Local days, the last of which may not be over. */
export interface Span {
  readonly dates: ReadonlyArray<LocalDate>
  readonly from: DateTime.Utc
  /** The first instant that is not of it any more. */
  readonly to: DateTime.Utc
}

/** A period, and the one before it that it is compared with. */
export interface Period {
  readonly current: Span
  readonly previous: Span
}

const lengths: Readonly<Record<PeriodName, number>> = { "7d": 7, "30d": 30 }

const quarterHour = 15

/** A clock time, rounded down to the quarter hour. */
const roundedDown = (time: string): string => {
  const [hours = "", minutes = ""] = time.split(":")
  return `${hours}:${String(Math.floor(Number(minutes) / quarterHour) * quarterHour).padStart(2, "0")}`
}

/** Today so far and the days before it, and as many before those, up to the same local time. */
export const periodOf = (name: PeriodName, zone: DateTime.TimeZone, now: DateTime.Utc): Period => {
  const days = lengths[name]
  const today = localDayOf(now, zone)
  const first = addDays(today, 1 - days)
  const [, time = ""] = localTimeOf(now, zone).split("T")
  const last = addDays(first, -1)
  const start = addDays(first, -days)
  return {
    current: { dates: datesFrom(first, today), from: startOfDay(first, zone), to: now },
    previous: {
      dates: datesFrom(start, last),
      from: startOfDay(start, zone),
      to: instantAt(last, roundedDown(time), zone)
    }
  }
}
