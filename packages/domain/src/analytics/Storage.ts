import { AnalyticsBooks } from "./AnalyticsBooks.ts"
import { AnalyticsFigures } from "./AnalyticsFigures.ts"
import { AnalyticsLoad } from "./AnalyticsLoad.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { StartedBroadcasts } from "./StartedBroadcasts.ts"

/** The ports that a storage adapter provides of this area. */
export const analyticsStorage = [
  AnalyticsBooks,
  AnalyticsFigures,
  AnalyticsLoad,
  AnalyticsRecords,
  StartedBroadcasts
] as const
