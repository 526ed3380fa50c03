import { Schema } from "effect"
import { LocalDate, Page, Timestamp, UserId } from "../kernel/index.ts"
import { Timezone } from "../platform/identity/index.ts"
import { dayFigures, DurationFigures, FigureChanges, Figures } from "./Figures.ts"

/** Whether the days use the organization's zone. `rebuilding`: a recalculation in a new zone is running, and the response uses the old one. */
export const AnalyticsState = Schema.Literals(["current", "rebuilding"])
export type AnalyticsState = typeof AnalyticsState.Type

/** Time and zone of a response. Everything committed by `asOf` is counted. */
export const responseMeta = { timezone: Timezone, asOf: Timestamp, state: AnalyticsState }

/** Metadata of responses for a range of local days; both days are inclusive. */
export const rangeResponseMeta = { ...responseMeta, from: LocalDate, to: LocalDate }

/** Period of an overview: today so far, and the 6 or 29 days before. */
export const PeriodName = Schema.Literals(["7d", "30d"])
export type PeriodName = typeof PeriodName.Type

/** `to` is exclusive. */
const span = { from: Timestamp, to: Timestamp }

/** Conversations of a member. */
const LoadCounts = { open: Schema.Int, waiting: Schema.Int }

/** Figures of a period by day, compared with the previous period, and the current workload. */
export const Overview = Schema.Struct({
  period: Schema.Struct({ name: PeriodName, timezone: Timezone, ...span }),
  previousPeriod: Schema.Struct({
    ...span,
    to: Timestamp.annotateKey({
      description:
        "Exclusive end: the same local time as the end of `period`, rounded down to a quarter of an hour, because figures are counted by the quarter of an hour."
    })
  }),
  asOf: Timestamp,
  state: AnalyticsState,
  current: Figures,
  previous: Figures,
  change: FigureChanges,
  days: Schema.Array(Schema.Struct({ date: LocalDate, ...dayFigures }).annotate({ identifier: "AnalyticsDay" })),
  load: Schema.Struct({
    unassigned: Schema.Struct(LoadCounts),
    /** At most 25, most open conversations first. */
    agents: Schema.Array(Schema.Struct({ id: UserId, name: Schema.String, ...LoadCounts }))
  })
}).annotate({ identifier: "AnalyticsOverview" })
export type Overview = typeof Overview.Type

/** Upper bounds of wait groups in seconds; the last group has none. */
export const waitSteps = [300, 900, 3_600, 14_400, 86_400, null] as const

/** Current workload. */
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

/** Figures of one member; medians are `null` below five values. */
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

/** Sort order of members; a minus means descending. */
export const AgentSort = Schema.Literals(["-replies", "-resolved", "-open"])
export type AgentSort = typeof AgentSort.Type

/** Figures of members. */
export const Agents = Schema.Struct({ ...rangeResponseMeta, ...Page(AgentRow).fields }).annotate({
  identifier: "AnalyticsAgents"
})
export type Agents = typeof Agents.Type
