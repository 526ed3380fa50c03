import { Layer } from "effect"
import * as RollupStore from "./RollupStore.ts"
import * as AnalyticsFigures from "./AnalyticsFigures.ts"
import * as AnalyticsLoad from "./AnalyticsLoad.ts"
import * as AnalyticsRecords from "./AnalyticsRecords.ts"
import * as StartedBroadcasts from "./StartedBroadcasts.ts"

export const layer = Layer.mergeAll(
  RollupStore.layer,
  AnalyticsFigures.layer,
  AnalyticsLoad.layer,
  AnalyticsRecords.layer,
  StartedBroadcasts.layer
)
