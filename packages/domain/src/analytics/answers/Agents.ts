import { Schema } from "effect"
import { Page, UserId } from "../../kernel/index.ts"
import { answeredRange } from "./AnalyticsMeta.ts"
import { DurationFigures } from "./Figures.ts"

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
export const Agents = Schema.Struct({ ...answeredRange, ...Page(AgentRow).fields }).annotate({
  identifier: "AnalyticsAgents"
})
export type Agents = typeof Agents.Type
