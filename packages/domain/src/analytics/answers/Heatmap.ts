import { Schema } from "effect"
import { answeredRange } from "./AnalyticsMeta.ts"

/** A figure that a heatmap can be drawn of. */
export const HeatmapFigure = Schema.Literals([
  "messages.inbound.total",
  "messages.outbound.total",
  "conversations.opened"
])
export type HeatmapFigure = typeof HeatmapFigure.Type

/** Seven rows from Monday on, of 24 local hours each. */
const Grid = Schema.Array(Schema.Array(Schema.Int))

/** When in the week something happens. */
export const Heatmap = Schema.Struct({
  ...answeredRange,
  figure: HeatmapFigure,
  values: Grid,
  /** How often each hour was in the range; clocks that are moved make some of them rarer, or more frequent. */
  occurrences: Grid
}).annotate({ identifier: "AnalyticsHeatmap" })
export type Heatmap = typeof Heatmap.Type
