export * from "./AnalyticsBooks.ts"
export * from "./AnalyticsFigures.ts"
export { AnalyticsLoad, type Colleague, type LiveCount, type Load } from "./AnalyticsLoad.ts"
export * from "./AnalyticsRecords.ts"
export {
  BroadcastFigures,
  BroadcastRow,
  layerBroadcastAttribution,
  type StartedBroadcast,
  StartedBroadcasts
} from "./BroadcastFigures.ts"
export * from "./contactHoldings.ts"
export * from "./Count.ts"
export { countingSubscriber } from "./counting/countingSubscriber.ts"
export * from "./dashboardAnswers.ts"
export * from "./Figures.ts"
export { Heatmap, HeatmapFigure } from "./Heatmap.ts"
export { type Period, periodOf, type RangeRequest, type Span } from "./reading/dateRanges.ts"
export * from "./reading/figureChanges.ts"
export { figuresOf, type Sums, sumsOf } from "./reading/figureSums.ts"
export { checkNightly, RecountOvertaken } from "./recounting.ts"
export { FigureUnit, Series, SeriesFigure, SeriesStep } from "./Series.ts"
export * from "./use-cases/agents.ts"
export * from "./use-cases/figures.ts"
export * from "./use-cases/rebuildAnalytics.ts"
export * from "./use-cases/series.ts"
