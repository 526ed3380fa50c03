import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "@parley/domain/kernel"
import { DateTime, Option, Schema } from "effect"

const read = Schema.decodeUnknownOption(Timestamp)
const write = Schema.encodeSync(Timestamp)

const upTo = (maximum: number, minimum = 0) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const padded = (value: number, digits = 2) => String(value).padStart(digits, "0")

const parts = Schema.Struct({
  year: upTo(9_999),
  month: upTo(13),
  day: upTo(32),
  hour: upTo(25),
  minute: upTo(60),
  second: upTo(61),
  ahead: Schema.Boolean,
  offsetHour: upTo(25),
  offsetMinute: upTo(60)
})

/** The same by the language's calendar: a value that rolls over is no valid time. */
const instantOf = ({ ahead, day, hour, minute, month, offsetHour, offsetMinute, second, year }: typeof parts.Type) => {
  const date = new globalThis.Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const isSame =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  if (!isSame || offsetHour > 23 || offsetMinute > 59) return null
  const millis = date.getTime() - (ahead ? 1 : -1) * (offsetHour * 60 + offsetMinute) * 60_000
  const utcYear = new globalThis.Date(millis).getUTCFullYear()
  return utcYear < 1 || utcYear > 9_999 ? null : millis
}

describe("a time", () => {
  it.prop("is read if the calendar has it, and not otherwise", { given: parts }, ({ given }) => {
    const { ahead, day, hour, minute, month, offsetHour, offsetMinute, second, year } = given
    const text = `${padded(year, 4)}-${padded(month)}-${padded(day)}T${padded(hour)}:${padded(minute)}:${padded(second)}${ahead ? "+" : "-"}${padded(offsetHour)}:${padded(offsetMinute)}`
    assert.strictEqual(Option.getOrNull(Option.map(read(text), DateTime.toEpochMillis)), instantOf(given), text)
  })

  it.prop("is read as it is written", { millis: upTo(253_402_300_799_999, -62_135_596_800_000) }, ({ millis }) => {
    const time = DateTime.makeUnsafe(millis)
    assert.deepStrictEqual(Option.getOrNull(read(write(time))), time)
  })

  it.each([
    "2026-02-30T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T23:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-03-01T09:30:00+24:00",
    "2026-03-01T09:30:00+01:60",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "+010000-01-01T00:00:00Z",
    "2026-03-01",
    "2026-03-01T09:30Z",
    "2026-03-01 09:30:00Z",
    "2026-03-01T09:30:00",
    "2026-03-01T09:30:00z",
    "2026-03-01T09:30:00.Z",
    "2026-03-01T09:30:00Z ",
    "２０２６-03-01T09:30:00Z",
    ""
  ])("is refused when it is none: %j", (text) => {
    assert.isTrue(Option.isNone(read(text)))
  })

  it.each([
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["2026-03-01T09:30:00.123456789Z", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01T09:30:00-00:00", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T00:30:00+05:45", "2026-02-28T18:45:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("%s is %s", (text, same) => {
    assert.deepStrictEqual(Option.getOrNull(Option.map(read(text), write)), same)
  })
})
