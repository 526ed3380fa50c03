import { Layer } from "effect"
import * as AnalyticsBooks from "./AnalyticsBooks.ts"
import * as AnalyticsRecords from "./AnalyticsRecords.ts"

/** The storage of this area. */
export const layer = Layer.merge(AnalyticsBooks.layer, AnalyticsRecords.layer)
