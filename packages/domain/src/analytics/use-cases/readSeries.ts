import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { type Currency, type Fault, useCase, ValidationFailed } from "../../kernel/index.ts"
import { AnalyticsFigures, type FigureSum } from "../AnalyticsFigures.ts"
import type { Series, SeriesFigure, SeriesStep } from "../answers/Series.ts"
import { accountScope } from "../reading/accountScope.ts"
import { bucketsOfDays, hoursOf } from "../reading/buckets.ts"
import { figuresOf } from "../reading/figuresOf.ts"
import { gaugeFigures, gaugesAfter, gaugesOf } from "../reading/gauges.ts"
import { type DateRange, rangeOf, type RangeRequest } from "../reading/rangeOf.ts"
import { type OpenBooks, reading } from "../reading/reading.ts"
import { countedOf, hasCurrency, unitOf, valueIn } from "../reading/seriesFigures.ts"
import { sumsOf, withinRange } from "../reading/sums.ts"
import { startOfQuarter } from "../time/quarters.ts"

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
