export * from "./RollupStore.ts"
export * from "./AnalyticsFigures.ts"
export { AnalyticsLoad, type Colleague, type LiveCount, type MemberLoad } from "./AnalyticsLoad.ts"
export * from "./AnalyticsRecords.ts"
export {
  BroadcastFigures,
  BroadcastRow,
  layerBroadcastAttribution,
  type StartedBroadcast,
  StartedBroadcasts
} from "./BroadcastFigures.ts"
export * from "./contactData.ts"
export { CostDimension, Costs } from "./Costs.ts"
export * from "./Count.ts"
export { countingEventConsumer } from "./counting/countingEventConsumer.ts"
export * from "./dashboardResponses.ts"
export * from "./Figures.ts"
export { Heatmap, HeatmapFigure } from "./Heatmap.ts"
export { type Period, toPeriod, type RangeRequest, type DateSpan } from "./reading/dateRanges.ts"
export * from "./reading/figureChanges.ts"
export { toFigures, type FigureSums, sumFigures } from "./reading/figureSums.ts"
export { verifyNightly, RecountOvertaken } from "./rebuildRollups.ts"
export { FigureUnit, Series, SeriesFigure, SeriesStep } from "./Series.ts"
export * from "./use-cases/agents.ts"
export * from "./use-cases/costs.ts"
export * from "./use-cases/figures.ts"
export * from "./use-cases/rebuildAnalytics.ts"
export * from "./use-cases/series.ts"
