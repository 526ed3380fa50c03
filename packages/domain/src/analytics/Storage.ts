import { AnalyticsBooks } from "./AnalyticsBooks.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"

/** The ports that a storage adapter provides of this area. */
export const analyticsStorage = [AnalyticsBooks, AnalyticsRecords] as const
