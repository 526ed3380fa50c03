import { Schema } from "effect"

/** What a clock on the wall shows, such as 09:30. */
export const ClockTime = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { message: "Expected a clock time such as 09:30" })
)
export type ClockTime = typeof ClockTime.Type

/** The days of a week, from Monday on. */
export const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

/** A day of the week. */
export const Day = Schema.Literals(days)
export type Day = typeof Day.Type
