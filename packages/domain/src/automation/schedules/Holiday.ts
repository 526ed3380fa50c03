import { Schema } from "effect"
import { LocalDate } from "../../kernel/index.ts"
import { Name } from "../../platform/identity/index.ts"
import { DaySpans } from "./DaySpans.ts"

const HolidayName = Name.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** A date on which the hours of the week do not count. */
export const Holiday = Schema.Struct({
  date: LocalDate,
  yearly: Schema.Boolean.annotateKey({ description: "Whether the day counts in each year." }),
  name: HolidayName,
  spans: DaySpans
}).annotate({ identifier: "Holiday" })
export type Holiday = typeof Holiday.Type

/** A holiday as it is written: closed, and of this year only, unless it says more. */
export const HolidayInput = Schema.Struct({
  date: LocalDate,
  yearly: Schema.optionalKey(Schema.Boolean),
  name: HolidayName,
  spans: Schema.optionalKey(DaySpans)
}).annotate({ identifier: "HolidayInput" })
export type HolidayInput = typeof HolidayInput.Type

const monthDay = "2026-".length

/** What no two holidays have in common: one of a single year goes before one of each year. */
const keyOf = ({ date, yearly = false }: HolidayInput) => (yearly ? date.slice(monthDay) : date)

const eachOnce = (holidays: ReadonlyArray<HolidayInput>) =>
  new Set(holidays.map(keyOf)).size === holidays.length || "Expected each holiday once"

/** All holidays of a schedule. */
export const HolidayInputs = Schema.Array(HolidayInput).check(
  Schema.isMaxLength(200, { message: "Expected at most 200 holidays" }),
  Schema.makeFilter(eachOnce)
)

/** The holiday on a date, if it is one. */
export const holidayOn = (holidays: ReadonlyArray<Holiday>, date: LocalDate): Holiday | undefined =>
  holidays.find((each) => !each.yearly && each.date === date) ??
  holidays.find((each) => each.yearly && each.date.slice(monthDay) === date.slice(monthDay))
