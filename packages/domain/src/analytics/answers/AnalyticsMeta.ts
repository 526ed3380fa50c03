import { Schema } from "effect"
import { Timezone } from "../../platform/identity/index.ts"
import { LocalDate, Timestamp } from "../../kernel/index.ts"

/** Whether the days are cut in the organization's zone; `rebuilding`: they are being cut in a new one, and the answer keeps the old one. */
export const AnalyticsState = Schema.Literals(["current", "rebuilding"])
export type AnalyticsState = typeof AnalyticsState.Type

/** As of when an answer is, and how its days are cut. All that was committed by `asOf` is counted. */
export const answeredAt = { timezone: Timezone, asOf: Timestamp, state: AnalyticsState }

/** What answers over a range of local days add: the first day and the last, both inclusive. */
export const answeredRange = { ...answeredAt, from: LocalDate, to: LocalDate }
