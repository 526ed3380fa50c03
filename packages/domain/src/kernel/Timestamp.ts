import { DateTime, Option, Schema } from "effect"

const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const february = 2
const monthsOfThirty: ReadonlySet<number> = new Set([4, 6, 9, 11])

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const daysOf = (year: number, month: number) => {
  if (month === february) return isLeapYear(year) ? 29 : 28
  return monthsOfThirty.has(month) ? 30 : 31
}

const dayExists = (text: string) =>
  Number(text.slice(8, 10)) <= daysOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)))

const earliest = DateTime.toEpochMillis(DateTime.makeUnsafe("0001-01-01T00:00:00Z"))

/** The last instant that is written with a year of four digits. */
export const lastTimestamp = DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")

const latest = DateTime.toEpochMillis(lastTimestamp)

/** Written in UTC again, it has to have a year of four digits. */
const isInYears = (text: string) =>
  Option.exists(DateTime.make(text), (time) => {
    const millis = DateTime.toEpochMillis(time)
    return millis >= earliest && millis <= latest
  })

/** What is written so, and is none all the same. */
const faultOf = (text: string): string | true => {
  if (!rfc3339.test(text)) return true
  if (!dayExists(text)) return "Expected a day that its month has"
  return isInYears(text) || "Expected a time in the years 0001 to 9999, in UTC"
}

/** An instant: RFC 3339 in UTC on the wire. A day that its month does not have is refused: it is not taken for another one. */
export const Timestamp = Schema.String.check(
  Schema.makeFilter(faultOf),
  Schema.isPattern(rfc3339, { message: "Expected a time such as 2026-03-01T09:30:00Z" })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString), Schema.annotateEncoded({ format: "date-time" }))
export type Timestamp = typeof Timestamp.Type
