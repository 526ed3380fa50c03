import { DateTime, Effect } from "effect"
import { noCredit } from "../../campaigns/index.ts"
import { addDays, paged, type PageRequest, startOfDay, useCase } from "../../kernel/index.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import { memberLoads } from "../AnalyticsLoad.ts"
import { type BroadcastFigures, readCredits, StartedBroadcasts } from "../BroadcastFigures.ts"
import { toQuarterHour, wholeOrganization } from "../Count.ts"
import type { Overview, PeriodName } from "../dashboardResponses.ts"
import { toPeriod, resolveRange, type RangeRequest, type DateSpan } from "../reading/dateRanges.ts"
import { toFigureChanges, toRate } from "../reading/figureChanges.ts"
import {
  listCurrencies,
  toFigures,
  gaugeFigures,
  gaugesAfter,
  toGauges,
  sumFigures,
  withinRange
} from "../reading/figureSums.ts"
import { type RollupReader, withRollupReader } from "../reading/rollupReader.ts"

/** Returns the first and the last day of a period. */
const firstAndLastDay = ({ dates }: DateSpan) => [dates[0] ?? "", dates.at(-1) ?? ""] as const

const buildOverview = Effect.fnUntraced(function* (
  name: PeriodName,
  { asOf, currency, version, now, state, timezone, zone }: RollupReader
) {
  const figures = yield* AnalyticsFigures
  const { current, previous } = toPeriod(name, zone, now)
  const [first, today] = firstAndLastDay(current)
  const [start, last] = firstAndLastDay(previous)
  const before = toGauges(yield* figures.before(version, wholeOrganization, gaugeFigures, start))
  const rows = yield* figures.days(version, wholeOrganization, null, start, today)
  // The last day of the previous period counts up to the same local time.
  const partial = yield* figures.ranges(version, wholeOrganization, null, [
    { from: toQuarterHour(startOfDay(last, zone)), to: toQuarterHour(previous.to) }
  ])
  const formerRows = rows.filter(({ date }) => date < last)
  const former = sumFigures([...formerRows, ...partial.map((row) => ({ ...row, date: last }))].map(withinRange(start)))
  const currencies = listCurrencies(sumFigures(rows), currency)
  let gauges = gaugesAfter(before, sumFigures(rows.filter(({ date }) => date < first)))
  const rowsByDate = Map.groupBy(rows, ({ date }) => date)
  const days = current.dates.map((date) => {
    const sums = sumFigures(rowsByDate.get(date) ?? [])
    gauges = gaugesAfter(gauges, sums)
    return { date, complete: date < today, ...toFigures(sums, gauges, currencies) }
  })
  const formerFigures = toFigures(former, gaugesAfter(before, former), currencies)
  const currentRows = rows.filter(({ date }) => date >= first)
  const currentFigures = toFigures(sumFigures(currentRows.map(withinRange(first))), gauges, currencies)
  const overview: Overview = {
    period: { name, timezone, from: current.from, to: current.to },
    previousPeriod: { from: previous.from, to: previous.to },
    asOf,
    state,
    current: currentFigures,
    previous: formerFigures,
    change: toFigureChanges(currentFigures, formerFigures),
    days,
    load: yield* memberLoads
  }
  return overview
})

/** Reads the figures of a period by day, compared with the previous period, and the current workload. */
export const readOverview = useCase(
  { name: "analytics.overview", access: { permission: "analytics.read" } },
  ({ period }: { readonly period: PeriodName }) => withRollupReader((rollups) => buildOverview(period, rollups))
)

const buildBroadcastFigures = Effect.fnUntraced(function* (
  request: RangeRequest,
  page: PageRequest,
  rollups: RollupReader
) {
  const { asOf, version, state, timezone, zone } = rollups
  const { from, to } = yield* resolveRange(request, rollups)
  const broadcasts = yield* StartedBroadcasts
  const { data, nextCursor } = yield* paged(
    "analytics/broadcasts",
    page,
    (slice) => broadcasts.list(startOfDay(from, zone), startOfDay(addDays(to, 1), zone), slice),
    ({ id, startedAt }) => [String(DateTime.toEpochMillis(startedAt)), id]
  )
  const credits = yield* readCredits(
    version,
    data.map(({ id }) => id)
  )
  const figures: BroadcastFigures = {
    timezone,
    from,
    to,
    asOf,
    state,
    data: data.map((row) => ({
      ...row,
      deliveredRate: toRate(row.delivered, row.sent),
      readRate: toRate(row.read, row.delivered),
      repliedRate: toRate(row.replied, row.delivered),
      ...(credits.get(row.id) ?? noCredit)
    })),
    nextCursor
  }
  return figures
})

/** Reads the results of broadcasts that started in a range, newest first. */
export const readBroadcastFigures = useCase(
  { name: "analytics.broadcasts", access: { permission: "analytics.read" } },
  ({ page, ...request }: { readonly page: PageRequest } & RangeRequest) =>
    withRollupReader((rollups) => buildBroadcastFigures(request, page, rollups))
)
