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

/** Local days; the last one can be incomplete. */
export interface DateSpan {
  readonly dates: ReadonlyArray<LocalDate>
  readonly from: DateTime.Utc
  /** Exclusive end. */
  readonly to: DateTime.Utc
}

/** A period and the previous one for comparison. */
export interface Period {
  readonly current: DateSpan
  readonly previous: DateSpan
}

const periodDays: Readonly<Record<PeriodName, number>> = { "7d": 7, "30d": 30 }

const quarterHour = 15

/** Rounds a clock time down to the quarter hour. */
const roundDown = (time: string): string => {
  const [hours = "", minutes = ""] = time.split(":")
  return `${hours}:${String(Math.floor(Number(minutes) / quarterHour) * quarterHour).padStart(2, "0")}`
}

/** Returns today so far and the days before, and the previous period up to the same local time. */
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

/** Requested local days: a period, or a first and a last day. */
export interface RangeRequest {
  readonly period?: PeriodName
  readonly from?: LocalDate
  readonly to?: LocalDate
}

/** Consecutive local days. */
export interface DateRange {
  readonly from: LocalDate
  readonly to: LocalDate
  readonly dates: ReadonlyArray<LocalDate>
}

const maxDays = 366

/** No data is older, and some zones had offsets from UTC in parts of quarter hours before it. */
const earliest: LocalDate = "2000-01-01"

const validateRange = ({ from, to }: Required<Pick<RangeRequest, "from" | "to">>, today: LocalDate) => [
  ...(to > today ? [{ pointer: "/to", message: `Expected today, ${today}, or an earlier day` }] : []),
  ...(from < earliest ? [{ pointer: "/from", message: `Expected ${earliest} or a later day` }] : []),
  ...(from > to ? [{ pointer: "/from", message: "Expected a day that is not after `to`" }] : []),
  ...(daysBetween(from, to) >= maxDays ? [{ pointer: "/from", message: `Expected at most ${maxDays} days` }] : [])
]

const toValidationError = (pointer: string, message: string) => new ValidationFailed({ errors: [{ pointer, message }] })

/** Resolves the requested days in the zone of the rollups. Fails on an invalid range. */
export const resolveRange = Effect.fnUntraced(function* (
  { from, period, to }: RangeRequest,
  { now, zone }: Pick<RollupReader, "now" | "zone">
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
  if (from === undefined) return yield* toValidationError("/from", "Expected a first day if `to` is given")
  if (to === undefined) return yield* toValidationError("/to", "Expected a last day if `from` is given")
  const errors = validateRange({ from, to }, toLocalDate(now, zone))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const range: DateRange = { from, to, dates: datesBetween(from, to) }
  return range
})
