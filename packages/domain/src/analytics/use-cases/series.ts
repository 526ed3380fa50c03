import { DateTime, Effect } from "effect"
import { type Currency, type ValidationIssue, useCase, ValidationFailed } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { AnalyticsFigures, type FigureSum } from "../AnalyticsFigures.ts"
import { quarterHourStart } from "../Count.ts"
import { asWeek, type Heatmap, type HeatmapFigure, countOccurrences, weekRanges } from "../Heatmap.ts"
import {
  groupDaysByBucket,
  toCountedFigures,
  hasCurrency,
  toHourRanges,
  type Series,
  type SeriesFigure,
  type SeriesStep,
  unitOf,
  readFigure
} from "../Series.ts"
import { type DateRange, resolveRange, type RangeRequest } from "../reading/dateRanges.ts"
import { toFigures, gaugeFigures, gaugesAfter, toGauges, sumFigures, withinRange } from "../reading/figureSums.ts"
import { accountScope, type RollupReader, withRollupReader } from "../reading/rollupReader.ts"

/** Requested figures, days and bucket size. */
export interface SeriesRequest extends RangeRequest {
  readonly figures: ReadonlyArray<SeriesFigure>
  readonly by: SeriesStep
  /** For money figures; the default is the organization's currency. */
  readonly currency?: Currency
  readonly chatAccountId?: ChatAccountId
}

const maxDaysByHour = 7

const isAccountFigure = (figure: SeriesFigure) => !/^(?:contacts|commerce)\./u.test(figure)

const validateSeries = (
  { by, chatAccountId, currency, figures }: SeriesRequest,
  { dates }: DateRange
): ReadonlyArray<ValidationIssue> => [
  ...(by === "hour" && dates.length > maxDaysByHour
    ? [{ pointer: "/by", message: `Expected at most ${maxDaysByHour} days by hour` }]
    : []),
  ...figures.flatMap((figure, index) =>
    by === "hour" && figure === "contacts.active"
      ? [
          {
            pointer: `/figure/${index}`,
            message: "The figure is not available by hour: contacts count as active once per day"
          }
        ]
      : []
  ),
  ...(chatAccountId !== undefined && !figures.every(isAccountFigure)
    ? [{ pointer: "/chatAccountId", message: "A chat account has no figures of contacts and commerce" }]
    : []),
  ...(currency !== undefined && !figures.some(hasCurrency)
    ? [{ pointer: "/currency", message: "Only amounts have a currency" }]
    : [])
]

interface Bucket {
  readonly name: string
  readonly rows: ReadonlyArray<FigureSum>
}

const buildSeries = Effect.fnUntraced(function* (request: SeriesRequest, rollups: RollupReader) {
  const { by, figures } = request
  const { asOf, version, now, state, timezone, zone } = rollups
  const range = yield* resolveRange(request, rollups)
  const errors = validateSeries(request, range)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const scope = yield* accountScope(request.chatAccountId)
  const currency = request.currency ?? rollups.currency
  const port = yield* AnalyticsFigures
  const counted = [...new Set(figures.flatMap((figure) => toCountedFigures(figure, currency)))]
  const byHours = Effect.gen(function* () {
    const hours = toHourRanges(range.dates, zone, now)
    const rows = Map.groupBy(yield* port.ranges(version, scope, counted, hours), (row) => row.range)
    return hours.map(({ from }, index): Bucket => ({
      name: DateTime.formatIso(quarterHourStart(from)),
      rows: rows.get(index) ?? []
    }))
  })
  const byDays = Effect.fnUntraced(function* (step: Exclude<SeriesStep, "hour">) {
    const rows = Map.groupBy(yield* port.days(version, scope, counted, range.from, range.to), ({ date }) => date)
    return groupDaysByBucket(range.dates, step).map((dates): Bucket => {
      const [name = range.from] = dates
      return { name, rows: dates.flatMap((date) => rows.get(date) ?? []).map(withinRange(name)) }
    })
  })
  const levels = gaugeFigures.filter((figure) => counted.includes(figure))
  let gauges = toGauges(levels.length === 0 ? new Map() : yield* port.before(version, scope, levels, range.from))
  const buckets = (by === "hour" ? yield* byHours : yield* byDays(by)).map(({ name, rows }) => {
    const sums = sumFigures(rows)
    gauges = gaugesAfter(gauges, sums)
    return { name, figures: toFigures(sums, gauges, [currency]) }
  })
  const series: Series = {
    timezone,
    from: range.from,
    to: range.to,
    asOf,
    state,
    by,
    buckets: buckets.map(({ name }) => name),
    series: figures.map((figure) => ({
      figure,
      unit: unitOf(figure),
      ...(hasCurrency(figure) && { currency }),
      values: buckets.map((bucket) => readFigure(bucket.figures, figure, currency))
    }))
  }
  return series
})

/** Reads figures over time. */
export const readSeries = useCase(
  { name: "analytics.series", access: { permission: "analytics.read" } },
  (request: SeriesRequest) => withRollupReader((rollups) => buildSeries(request, rollups))
)

/** Requested figure and days of a heatmap. */
export interface HeatmapRequest extends RangeRequest {
  readonly figure: HeatmapFigure
  readonly chatAccountId?: ChatAccountId
}

const buildHeatmap = Effect.fnUntraced(function* (request: HeatmapRequest, rollups: RollupReader) {
  const { figure } = request
  const { asOf, currency, version, now, state, timezone, zone } = rollups
  const { dates, from, to } = yield* resolveRange(request, rollups)
  const scope = yield* accountScope(request.chatAccountId)
  const ranges = weekRanges(dates, zone)
  const sums = yield* (yield* AnalyticsFigures).weekHours(version, scope, toCountedFigures(figure, currency), ranges)
  const occurrences = countOccurrences(ranges, now)
  const amounts = new Map(sums.map(({ amount, hour }) => [hour, amount]))
  const heatmap: Heatmap = {
    timezone,
    from,
    to,
    asOf,
    state,
    figure,
    values: asWeek(occurrences.map((_, hour) => amounts.get(hour) ?? 0)),
    occurrences: asWeek(occurrences)
  }
  return heatmap
})

/** Reads the distribution of a figure over the week. */
export const readHeatmap = useCase(
  { name: "analytics.heatmap", access: { permission: "analytics.read" } },
  (request: HeatmapRequest) => withRollupReader((rollups) => buildHeatmap(request, rollups))
)
