import { DateTime, Effect } from "effect"
import { type Currency, type Fault, useCase, ValidationFailed } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { AnalyticsFigures, type FigureSum } from "../AnalyticsFigures.ts"
import { startOfQuarter } from "../Count.ts"
import { asWeek, type Heatmap, type HeatmapFigure, occurrencesIn, weekRanges } from "../Heatmap.ts"
import {
  bucketsOfDays,
  countedOf,
  hasCurrency,
  hoursOf,
  type Series,
  type SeriesFigure,
  type SeriesStep,
  unitOf,
  valueIn
} from "../Series.ts"
import { type DateRange, rangeOf, type RangeRequest } from "../reading/dateRanges.ts"
import { figuresOf, gaugeFigures, gaugesAfter, gaugesOf, sumsOf, withinRange } from "../reading/figureSums.ts"
import { accountScope, type OpenBooks, reading } from "../reading/openBooks.ts"

/** Which figures are asked for, of which days, and cut how. */
export interface SeriesRequest extends RangeRequest {
  readonly figures: ReadonlyArray<SeriesFigure>
  readonly by: SeriesStep
  /** Of figures that are money; the organization's own one if not said. */
  readonly currency?: Currency
  readonly chatAccountId?: ChatAccountId
}

const mostDaysByHour = 7

const isOfAccount = (figure: SeriesFigure) => !/^(?:contacts|commerce)\./u.test(figure)

const faultsOf = (
  { by, chatAccountId, currency, figures }: SeriesRequest,
  { dates }: DateRange
): ReadonlyArray<Fault> => [
  ...(by === "hour" && dates.length > mostDaysByHour
    ? [{ pointer: "/by", message: `Expected at most ${mostDaysByHour} days by hour` }]
    : []),
  ...figures.flatMap((figure, index) =>
    by === "hour" && figure === "contacts.active"
      ? [{ pointer: `/figure/${index}`, message: "Not by hour: contacts count as active once a day" }]
      : []
  ),
  ...(chatAccountId !== undefined && !figures.every(isOfAccount)
    ? [{ pointer: "/chatAccountId", message: "Not of contacts and commerce: they belong to no chat account" }]
    : []),
  ...(currency !== undefined && !figures.some(hasCurrency)
    ? [{ pointer: "/currency", message: "Only for figures that are one of each currency" }]
    : [])
]

interface Bucket {
  readonly name: string
  readonly rows: ReadonlyArray<FigureSum>
}

const count = Effect.fnUntraced(function* (request: SeriesRequest, books: OpenBooks) {
  const { by, figures } = request
  const { asOf, edition, now, state, timezone, zone } = books
  const range = yield* rangeOf(request, books)
  const errors = faultsOf(request, range)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const scope = yield* accountScope(request.chatAccountId)
  const currency = request.currency ?? books.currency
  const port = yield* AnalyticsFigures
  const counted = [...new Set(figures.flatMap((figure) => countedOf(figure, currency)))]
  const byHours = Effect.gen(function* () {
    const hours = hoursOf(range.dates, zone, now)
    const rows = Map.groupBy(yield* port.ranges(edition, scope, counted, hours), (row) => row.range)
    return hours.map(({ from }, index): Bucket => ({
      name: DateTime.formatIso(startOfQuarter(from)),
      rows: rows.get(index) ?? []
    }))
  })
  const byDays = Effect.fnUntraced(function* (step: Exclude<SeriesStep, "hour">) {
    const rows = Map.groupBy(yield* port.days(edition, scope, counted, range.from, range.to), ({ date }) => date)
    return bucketsOfDays(range.dates, step).map((dates): Bucket => {
      const [name = range.from] = dates
      return { name, rows: dates.flatMap((date) => rows.get(date) ?? []).map(withinRange(name)) }
    })
  })
  const levels = gaugeFigures.filter((figure) => counted.includes(figure))
  let gauges = gaugesOf(levels.length === 0 ? new Map() : yield* port.before(edition, scope, levels, range.from))
  const buckets = (by === "hour" ? yield* byHours : yield* byDays(by)).map(({ name, rows }) => {
    const sums = sumsOf(rows)
    gauges = gaugesAfter(gauges, sums)
    return { name, figures: figuresOf(sums, gauges, [currency]) }
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
      values: buckets.map((bucket) => valueIn(bucket.figures, figure, currency))
    }))
  }
  return series
})

/** Reads figures over time. */
export const readSeries = useCase(
  "analytics.series",
  { access: { permission: "analytics.read" } },
  (request: SeriesRequest) => reading((books) => count(request, books))
)

/** Of what it is asked when in the week it happens. */
export interface HeatmapRequest extends RangeRequest {
  readonly figure: HeatmapFigure
  readonly chatAccountId?: ChatAccountId
}

const readHeatmapCount = Effect.fnUntraced(function* (request: HeatmapRequest, books: OpenBooks) {
  const { figure } = request
  const { asOf, currency, edition, now, state, timezone, zone } = books
  const { dates, from, to } = yield* rangeOf(request, books)
  const scope = yield* accountScope(request.chatAccountId)
  const ranges = weekRanges(dates, zone)
  const sums = yield* (yield* AnalyticsFigures).weekHours(edition, scope, countedOf(figure, currency), ranges)
  const occurrences = occurrencesIn(ranges, now)
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

/** Reads when in the week something happens. */
export const readHeatmap = useCase(
  "analytics.heatmap",
  { access: { permission: "analytics.read" } },
  (request: HeatmapRequest) => reading((books) => readHeatmapCount(request, books))
)
