import { DateTime, Schema } from "effect"
import { addDays, type LocalDate, startOfDay } from "../kernel/index.ts"
import type { ShiftedRange } from "./AnalyticsFigures.ts"
import { type QuarterHour, toQuarterHour, quarterHourStart } from "./Count.ts"
import { rangeResponseMeta } from "./dashboardResponses.ts"

/** Figure of a heatmap. */
export const HeatmapFigure = Schema.Literals([
  "messages.inbound.total",
  "messages.outbound.total",
  "conversations.opened"
])
export type HeatmapFigure = typeof HeatmapFigure.Type

/** Seven rows from Monday, with 24 local hours each. */
const Grid = Schema.Array(Schema.Array(Schema.Int))

/** Distribution of a figure over the week. */
export const Heatmap = Schema.Struct({
  ...rangeResponseMeta,
  figure: HeatmapFigure,
  values: Grid,
  /** Number of times that each hour was in the range; clock changes add or remove some. */
  occurrences: Grid
}).annotate({ identifier: "AnalyticsHeatmap" })
export type Heatmap = typeof Heatmap.Type

const quarterHour = 900_000
const quartersOfHour = 4
const hoursOfWeek = 168
/** 1970 began on a Thursday. */
const hoursUntilThursday = 72

const utcShiftAt = (quarter: QuarterHour, zone: DateTime.TimeZone) =>
  DateTime.zonedOffset(DateTime.setZone(quarterHourStart(quarter), zone)) / quarterHour

const dayRanges = (date: LocalDate, zone: DateTime.TimeZone): ReadonlyArray<ShiftedRange> => {
  const [from, to] = [toQuarterHour(startOfDay(date, zone)), toQuarterHour(startOfDay(addDays(date, 1), zone))]
  if (from >= to) return []
  const shift = utcShiftAt(from, zone)
  if (shift === utcShiftAt(to - 1, zone)) return [{ from, to, shift }]
  // A clock changes on this day.
  const quarters = Array.from({ length: to - from }, (_, index) => from + index)
  return quarters.map((quarter) => ({ from: quarter, to: quarter + 1, shift: utcShiftAt(quarter, zone) }))
}

/** Splits local days into ranges of quarter hours without a clock change. */
export const weekRanges = (dates: ReadonlyArray<LocalDate>, zone: DateTime.TimeZone): ReadonlyArray<ShiftedRange> => {
  const ranges: Array<ShiftedRange> = []
  for (const range of dates.flatMap((date) => dayRanges(date, zone))) {
    const last = ranges.at(-1)
    if (last?.to === range.from && last.shift === range.shift) ranges.splice(-1, 1, { ...last, to: range.to })
    else ranges.push(range)
  }
  return ranges
}

const hourOf = (quarter: QuarterHour, shift: number) =>
  (Math.floor((quarter + shift) / quartersOfHour) + hoursUntilThursday) % hoursOfWeek

/** Counts how often each hour of the week has started in these ranges until now. */
export const countOccurrences = (ranges: ReadonlyArray<ShiftedRange>, now: DateTime.Utc): ReadonlyArray<number> => {
  const quarters = Array.from({ length: hoursOfWeek }, () => 0)
  for (const { from, shift, to } of ranges) {
    // The current hour counts as one.
    const begun = toQuarterHour(now) + shift
    const end = Math.min(to, begun - (begun % quartersOfHour) + quartersOfHour - shift)
    for (let quarter = from; quarter < end; quarter++) {
      const hour = hourOf(quarter, shift)
      quarters[hour] = (quarters[hour] ?? 0) + 1
    }
  }
  return quarters.map((count) => Math.round(count / quartersOfHour))
}

/** Splits the hours of the week into seven days of 24 hours. */
export const asWeek = (hours: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: 7 }, (_, day) => hours.slice(day * 24, (day + 1) * 24))
