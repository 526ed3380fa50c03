import { DateTime, Option, Schema } from "effect"

const pattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d$/u

const asUtc = (text: string) => DateTime.make(`${text}:00Z`)

const exists = (text: string) =>
  Option.exists(asUtc(text), (time) => DateTime.formatIso(time).startsWith(text) && !text.startsWith("0000"))

/** A day and what the clock shows on it, wherever that is. */
export const LocalTime = Schema.String.check(
  Schema.isPattern(pattern, { message: "Expected a day and a clock time such as 2026-12-01T09:00" }),
  Schema.makeFilter((text: string) => !pattern.test(text) || exists(text) || "Expected a day that its month has")
)
export type LocalTime = typeof LocalTime.Type

/** What the clocks show that are so many hours ahead of UTC, as an instant. */
export const atOffset = (local: LocalTime, hours: number): DateTime.Utc =>
  DateTime.subtract(DateTime.makeUnsafe(`${local}:00Z`), { hours })

/** When the clocks of a zone show this. A time that they skip moves by what they skip; of two the first one counts. */
export const instantOf = (local: LocalTime, zone: DateTime.TimeZone): DateTime.Utc =>
  DateTime.toUtc(
    DateTime.makeZonedUnsafe(`${local}:00Z`, {
      timeZone: zone,
      adjustForTimeZone: true,
      disambiguation: "compatible"
    })
  )
