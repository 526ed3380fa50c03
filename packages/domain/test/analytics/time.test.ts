import { assert, describe, it } from "@effect/vitest"
import { addDays, instantAt, toLocalDate, startOfDay } from "@parley/domain/kernel"
import { toPeriod, toQuarterHour, quarterHourStart } from "@parley/domain/analytics"
import { DateTime, Schema } from "effect"

const zone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)
const at = (text: string) => DateTime.makeUnsafe(text)
const iso = DateTime.formatIso

/** Of whole, half and quarter hours; with clocks that go over midnight, by half an hour, and twice over a date. */
const zones = [
  "UTC",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Chatham",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "Asia/Beirut",
  "America/Havana",
  "America/St_Johns",
  "America/Santiago",
  "Pacific/Apia"
]

const Moment = Schema.Int.check(
  Schema.isBetween({
    minimum: DateTime.toEpochMillis(at("2009-01-01T00:00:00Z")),
    maximum: DateTime.toEpochMillis(at("2031-01-01T00:00:00Z"))
  })
)

describe("local days", () => {
  it.prop(
    "have no gap between them, hold each instant once, and begin with a quarter hour",
    { name: Schema.Literals(zones), millis: Moment },
    ({ millis, name }) => {
      const instant = DateTime.makeUnsafe(millis)
      const day = toLocalDate(instant, zone(name))
      const begins = startOfDay(day, zone(name))
      const ends = startOfDay(addDays(day, 1), zone(name))
      assert.isTrue(DateTime.isLessThanOrEqualTo(begins, instant) && DateTime.isLessThan(instant, ends))
      assert.strictEqual(iso(quarterHourStart(toQuarterHour(begins))), iso(begins))
      assert.strictEqual(toLocalDate(quarterHourStart(toQuarterHour(instant)), zone(name)), day)
    }
  )

  it("are as long as clocks make them, and begin behind a midnight that is skipped", () => {
    assert.strictEqual(iso(startOfDay("2026-03-29", zone("Europe/Berlin"))), "2026-03-28T23:00:00.000Z")
    assert.strictEqual(iso(startOfDay("2026-03-30", zone("Europe/Berlin"))), "2026-03-29T22:00:00.000Z")
    assert.strictEqual(iso(startOfDay("2026-10-26", zone("Europe/Berlin"))), "2026-10-25T23:00:00.000Z")
    assert.strictEqual(iso(startOfDay("2026-11-21", zone("Asia/Kathmandu"))), "2026-11-20T18:15:00.000Z")
    assert.strictEqual(iso(startOfDay("2026-04-24", zone("Africa/Cairo"))), "2026-04-23T22:00:00.000Z")
    assert.strictEqual(
      iso(startOfDay("2011-12-30", zone("Pacific/Apia"))),
      iso(startOfDay("2011-12-31", zone("Pacific/Apia")))
    )
  })

  it("put a time that clocks skip at the end of the gap, and of two take the first", () => {
    assert.strictEqual(iso(instantAt("2026-03-29", "02:30", zone("Europe/Berlin"))), "2026-03-29T01:00:00.000Z")
    assert.strictEqual(iso(instantAt("2026-10-25", "02:30", zone("Europe/Berlin"))), "2026-10-25T00:30:00.000Z")
  })
})

describe("periods", () => {
  it("are today so far and the days before, against as many before up to the same local time", () => {
    const { current, previous } = toPeriod("7d", zone("Europe/Berlin"), at("2026-11-21T23:10:00Z"))
    assert.deepStrictEqual([current.from, current.to, previous.from, previous.to].map(iso), [
      "2026-11-15T23:00:00.000Z",
      "2026-11-21T23:10:00.000Z",
      "2026-11-08T23:00:00.000Z",
      "2026-11-14T23:00:00.000Z"
    ])
    assert.strictEqual(current.dates.at(0), "2026-11-16")
    assert.strictEqual(current.dates.at(-1), "2026-11-22")
    assert.strictEqual(previous.dates.at(-1), "2026-11-15")
    assert.lengthOf(previous.dates, 7)
  })

  it("end in a gap with the gap, and at a time that comes twice with the first", () => {
    const ofGap = toPeriod("7d", zone("Europe/Berlin"), at("2026-04-05T00:40:00Z"))
    assert.strictEqual(iso(ofGap.previous.to), "2026-03-29T01:00:00.000Z")
    const ofTwice = toPeriod("30d", zone("Europe/Berlin"), at("2026-11-24T01:59:00Z"))
    assert.strictEqual(iso(ofTwice.previous.to), "2026-10-25T00:45:00.000Z")
    assert.lengthOf(ofTwice.current.dates, 30)
  })
})
