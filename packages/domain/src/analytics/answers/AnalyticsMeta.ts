import { DateTime, Option, Schema } from "effect"
import { Timezone } from "../../identity/index.ts"
import { Timestamp } from "../../kernel/index.ts"

const written = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u

/** What is not written as one is told so already. */
const isOfCalendar = (date: string) =>
  !written.test(date) ||
  Option.exists(DateTime.make(`${date}T00:00:00Z`), (instant) => DateTime.formatIsoDateUtc(instant) === date)

/** A local date, such as 2026-11-21. */
export const LocalDate = Schema.String.check(
  Schema.isPattern(written, {
    message: "Expected a day such as 2026-11-21"
  }),
  Schema.makeFilter((date: string) => isOfCalendar(date) || "Expected a day that the calendar has")
)
export type LocalDate = typeof LocalDate.Type

/** Whether the days are cut in the organization's zone; `rebuilding`: they are being cut in a new one, and the answer keeps the old one. */
export const AnalyticsState = Schema.Literals(["current", "rebuilding"])
export type AnalyticsState = typeof AnalyticsState.Type

/** As of when an answer is, and how its days are cut. All that was committed by `asOf` is counted. */
export const answeredAt = { timezone: Timezone, asOf: Timestamp, state: AnalyticsState }

/** What answers over a range of local days add: the first day and the last, both inclusive. */
export const answeredRange = { ...answeredAt, from: LocalDate, to: LocalDate }
