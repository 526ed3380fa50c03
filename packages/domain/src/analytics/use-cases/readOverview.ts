import { Effect } from "effect"
import { useCase, startOfDay } from "../../kernel/index.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import type { Overview, PeriodName } from "../answers/Overview.ts"
import { wholeOrganization } from "../Count.ts"
import { changesOf } from "../reading/changesOf.ts"
import { currenciesOf, figuresOf } from "../reading/figuresOf.ts"
import { gaugeFigures, gaugesAfter, gaugesOf } from "../reading/gauges.ts"
import { readLoad } from "../reading/loadOf.ts"
import { type OpenBooks, reading } from "../reading/reading.ts"
import { sumsOf, withinRange } from "../reading/sums.ts"
import { periodOf, type Span } from "../time/periods.ts"
import { quarterOf } from "../time/quarters.ts"

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
