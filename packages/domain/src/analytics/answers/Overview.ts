import { Schema } from "effect"
import { Timezone } from "../../platform/identity/index.ts"
import { Timestamp, UserId, LocalDate } from "../../kernel/index.ts"
import { AnalyticsState } from "./AnalyticsMeta.ts"
import { dayFigures, FigureChanges, Figures } from "./Figures.ts"

/** The periods that an overview can be of: today so far, and the 6 or 29 days before. */
export const PeriodName = Schema.Literals(["7d", "30d"])
export type PeriodName = typeof PeriodName.Type

/** From the first instant of a period to the first that is not of it any more. */
const span = { from: Timestamp, to: Timestamp }

/** How many conversations are somebody's. */
const LoadCounts = { open: Schema.Int, waiting: Schema.Int }

/** What happened in a period, compared with the one before, day by day, and who has how much to do now. */
export const Overview = Schema.Struct({
  period: Schema.Struct({ name: PeriodName, timezone: Timezone, ...span }),
  previousPeriod: Schema.Struct(span),
  asOf: Timestamp,
  state: AnalyticsState,
  current: Figures,
  previous: Figures,
  change: FigureChanges,
  days: Schema.Array(Schema.Struct({ date: LocalDate, ...dayFigures }).annotate({ identifier: "AnalyticsDay" })),
  load: Schema.Struct({
    unassigned: Schema.Struct(LoadCounts),
    /** Up to 25, whoever has most open ones first. */
    agents: Schema.Array(Schema.Struct({ id: UserId, name: Schema.String, ...LoadCounts }))
  })
}).annotate({ identifier: "AnalyticsOverview" })
export type Overview = typeof Overview.Type
