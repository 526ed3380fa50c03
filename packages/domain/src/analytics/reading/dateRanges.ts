import { type DateTime, Effect } from "effect"
import {
  addDays,
  datesBetween,
  daysBetween,
  instantAt,
  type LocalDate,
  toLocalDate,
  toLocalTime,
  startOfDay,
  ValidationFailed
} from "../../kernel/index.ts"
import type { PeriodName } from "../dashboardResponses.ts"
import type { RollupReader } from "./rollupReader.ts"

/** Local days, the last of which may not be over. */
export interface DateSpan {
  readonly dates: ReadonlyArray<LocalDate>
  readonly from: DateTime.Utc
  /** The first instant that is not of it any more. */
  readonly to: DateTime.Utc
}

/** A period, and the one before it that it is compared with. */
export interface Period {
  readonly current: DateSpan
  readonly previous: DateSpan
}

const periodDays: Readonly<Record<PeriodName, number>> = { "7d": 7, "30d": 30 }

const quarterHour = 15

/** A clock time, rounded down to the quarter hour. */
const roundDown = (time: string): string => {
  const [hours = "", minutes = ""] = time.split(":")
  return `${hours}:${String(Math.floor(Number(minutes) / quarterHour) * quarterHour).padStart(2, "0")}`
}

/** Today so far and the days before it, and as many before those, up to the same local time. */
export const toPeriod = (name: PeriodName, zone: DateTime.TimeZone, now: DateTime.Utc): Period => {
  const days = periodDays[name]
  const today = toLocalDate(now, zone)
  const first = addDays(today, 1 - days)
  const [, time = ""] = toLocalTime(now, zone).split("T")
  const last = addDays(first, -1)
  const start = addDays(first, -days)
  return {
    current: { dates: datesBetween(first, today), from: startOfDay(first, zone), to: now },
    previous: {
      dates: datesBetween(start, last),
      from: startOfDay(start, zone),
      to: instantAt(last, roundDown(time), zone)
    }
  }
}

/** Which local days are asked for: a period, or the first and the last of them. */
export interface RangeRequest {
  readonly period?: PeriodName
  readonly from?: LocalDate
  readonly to?: LocalDate
}

/** Local days, one after the other. */
export interface DateRange {
  readonly from: LocalDate
  readonly to: LocalDate
  readonly dates: ReadonlyArray<LocalDate>
}

const maxDays = 366

/** Before it nobody has written over any of this, and some zones were not whole quarter hours away from UTC. */
const earliest: LocalDate = "2000-01-01"

const validateRange = ({ from, to }: Required<Pick<RangeRequest, "from" | "to">>, today: LocalDate) => [
  ...(to > today ? [{ pointer: "/to", message: `Expected ${today}, which is today, or an earlier day` }] : []),
  ...(from < earliest ? [{ pointer: "/from", message: `Expected ${earliest} or a later day` }] : []),
  ...(from > to ? [{ pointer: "/from", message: "Expected a day that is not after `to`" }] : []),
  ...(daysBetween(from, to) >= maxDays ? [{ pointer: "/from", message: `Expected at most ${maxDays} days` }] : [])
]

const toValidationError = (pointer: string, message: string) => new ValidationFailed({ errors: [{ pointer, message }] })

/** The days that are asked for, in the zone of the books; what makes no range is refused. */
export const resolveRange = Effect.fnUntraced(function* (
  { from, period, to }: RangeRequest,
  { now, zone }: RollupReader
) {
  if (period !== undefined) {
    if (from !== undefined || to !== undefined) {
      return yield* toValidationError("/period", "Either `period`, or `from` and `to`")
    }
    const { dates } = toPeriod(period, zone, now).current
    const range: DateRange = { from: dates[0] ?? "", to: dates.at(-1) ?? "", dates }
    return range
  }
  if (from === undefined && to === undefined)
    return yield* toValidationError("/period", "Needs `period`, or `from` and `to`")
  if (from === undefined) return yield* toValidationError("/from", "Needs a first day beside `to`")
  if (to === undefined) return yield* toValidationError("/to", "Needs a last day beside `from`")
  const errors = validateRange({ from, to }, toLocalDate(now, zone))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const range: DateRange = { from, to, dates: datesBetween(from, to) }
  return range
})
