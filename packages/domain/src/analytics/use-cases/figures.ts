import { DateTime, Effect } from "effect"
import { noCredit } from "../../campaigns/index.ts"
import { addDays, paged, type PageRequest, startOfDay, useCase } from "../../kernel/index.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import { readLoad } from "../AnalyticsLoad.ts"
import { type BroadcastFigures, readCredits, StartedBroadcasts } from "../BroadcastFigures.ts"
import { quarterOf, wholeOrganization } from "../Count.ts"
import type { Overview, PeriodName } from "../dashboardAnswers.ts"
import { periodOf, rangeOf, type RangeRequest, type Span } from "../reading/dateRanges.ts"
import { changesOf, rateOf } from "../reading/figureChanges.ts"
import {
  currenciesOf,
  figuresOf,
  gaugeFigures,
  gaugesAfter,
  gaugesOf,
  sumsOf,
  withinRange
} from "../reading/figureSums.ts"
import { type OpenBooks, reading } from "../reading/openBooks.ts"

/** The first and the last day of a period. */
const endsOf = ({ dates }: Span) => [dates[0] ?? "", dates.at(-1) ?? ""] as const

const count = Effect.fnUntraced(function* (
  name: PeriodName,
  { asOf, currency, edition, now, state, timezone, zone }: OpenBooks
) {
  const figures = yield* AnalyticsFigures
  const { current, previous } = periodOf(name, zone, now)
  const [first, today] = endsOf(current)
  const [start, last] = endsOf(previous)
  const before = gaugesOf(yield* figures.before(edition, wholeOrganization, gaugeFigures, start))
  const rows = yield* figures.days(edition, wholeOrganization, null, start, today)
  // The last day of the period before counts up to the same local time.
  const partial = yield* figures.ranges(edition, wholeOrganization, null, [
    { from: quarterOf(startOfDay(last, zone)), to: quarterOf(previous.to) }
  ])
  const formerRows = rows.filter(({ date }) => date < last)
  const former = sumsOf([...formerRows, ...partial.map((row) => ({ ...row, date: last }))].map(withinRange(start)))
  const currencies = currenciesOf(sumsOf(rows), currency)
  let gauges = gaugesAfter(before, sumsOf(rows.filter(({ date }) => date < first)))
  const days = current.dates.map((date) => {
    const sums = sumsOf(rows.filter((row) => row.date === date))
    gauges = gaugesAfter(gauges, sums)
    return { date, complete: date < today, ...figuresOf(sums, gauges, currencies) }
  })
  const formerFigures = figuresOf(former, gaugesAfter(before, former), currencies)
  const currentRows = rows.filter(({ date }) => date >= first)
  const currentFigures = figuresOf(sumsOf(currentRows.map(withinRange(first))), gauges, currencies)
  const overview: Overview = {
    period: { name, timezone, from: current.from, to: current.to },
    previousPeriod: { from: previous.from, to: previous.to },
    asOf,
    state,
    current: currentFigures,
    previous: formerFigures,
    change: changesOf(currentFigures, formerFigures),
    days,
    load: yield* readLoad
  }
  return overview
})

/** Reads what happened today so far and on the days before, compared with the period before, day by day, and who has how much to do now. */
export const readOverview = useCase(
  "analytics.overview",
  { access: { permission: "analytics.read" } },
  (period: PeriodName) => reading((books) => count(period, books))
)

const readBroadcastFiguresCount = Effect.fnUntraced(function* (
  request: RangeRequest,
  page: PageRequest,
  books: OpenBooks
) {
  const { asOf, edition, state, timezone, zone } = books
  const { from, to } = yield* rangeOf(request, books)
  const broadcasts = yield* StartedBroadcasts
  const { data, nextCursor } = yield* paged(
    "analytics/broadcasts",
    page,
    (slice) => broadcasts.list(startOfDay(from, zone), startOfDay(addDays(to, 1), zone), slice),
    ({ id, startedAt }) => [String(DateTime.toEpochMillis(startedAt)), id]
  )
  const credits = yield* readCredits(
    edition,
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
      deliveredRate: rateOf(row.delivered, row.sent),
      readRate: rateOf(row.read, row.delivered),
      repliedRate: rateOf(row.replied, row.delivered),
      ...(credits.get(row.id) ?? noCredit)
    })),
    nextCursor
  }
  return figures
})

/** Reads what came of the broadcasts that started in a range, newest first. */
export const readBroadcastFigures = useCase(
  "analytics.broadcasts",
  { access: { permission: "analytics.read" } },
  (request: RangeRequest, page: PageRequest) => reading((books) => readBroadcastFiguresCount(request, page, books))
)
