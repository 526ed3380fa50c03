import { Schema } from "effect"
import { LocalDate, Page, Timestamp, UserId } from "../kernel/index.ts"
import { Timezone } from "../platform/identity/index.ts"
import { dayFigures, DurationFigures, FigureChanges, Figures } from "./Figures.ts"

/** Whether the days are cut in the organization's zone; `rebuilding`: they are being cut in a new one, and the answer keeps the old one. */
export const AnalyticsState = Schema.Literals(["current", "rebuilding"])
export type AnalyticsState = typeof AnalyticsState.Type

/** As of when an answer is, and how its days are cut. All that was committed by `asOf` is counted. */
export const responseMeta = { timezone: Timezone, asOf: Timestamp, state: AnalyticsState }

/** What answers over a range of local days add: the first day and the last, both inclusive. */
export const rangeResponseMeta = { ...responseMeta, from: LocalDate, to: LocalDate }

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

/** Up to which waits are counted together, in seconds; the last step has no end. */
export const waitSteps = [300, 900, 3_600, 14_400, 86_400, null] as const

/** How much there is to do now. */
export const LiveWorkload = Schema.Struct({
  ...responseMeta,
  open: Schema.Int,
  pending: Schema.Int,
  snoozed: Schema.Int,
  unassigned: Schema.Int,
  waiting: Schema.Struct({
    count: Schema.Int,
    longestSeconds: Schema.NullOr(Schema.Int),
    steps: Schema.Array(Schema.Struct({ upToSeconds: Schema.NullOr(Schema.Int), count: Schema.Int }))
  })
}).annotate({ identifier: "AnalyticsLive" })
export type LiveWorkload = typeof LiveWorkload.Type

/** What one member has done; medians are `null` below five values. */
export const AgentRow = Schema.Struct({
  id: UserId,
  name: Schema.String,
  /** `former`: not a member any more. */
  status: Schema.Literals(["active", "disabled", "former"]),
  sent: Schema.Int,
  replies: Schema.Int,
  resolved: Schema.Int,
  open: Schema.Int,
  waiting: Schema.Int,
  firstResponse: DurationFigures,
  reply: DurationFigures,
  resolution: DurationFigures
}).annotate({ identifier: "AgentFigures" })
export type AgentRow = typeof AgentRow.Type

/** In which order members are listed; a minus is for descending. */
export const AgentSort = Schema.Literals(["-replies", "-resolved", "-open"])
export type AgentSort = typeof AgentSort.Type

/** What members have done. */
export const Agents = Schema.Struct({ ...rangeResponseMeta, ...Page(AgentRow).fields }).annotate({
  identifier: "AnalyticsAgents"
})
export type Agents = typeof Agents.Type
