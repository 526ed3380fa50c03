import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import {
  datesOfSearch,
  type DateTrigger,
  daysReachedOn,
  isCoveredBySearch,
  isDateReached,
  nextDateSearch,
  startTimeOf
} from "@parley/domain/automation"

const utc = DateTime.zoneMakeNamedUnsafe("UTC")
const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
const at = (text: string) => DateTime.makeUnsafe(text)

const trigger = (fields: Partial<DateTrigger> = {}): DateTrigger => ({
  event: "contact.date_reached",
  field: "birthday",
  localTime: "09:00",
  repeats: "yearly",
  ...fields
})

describe("dates of contacts", () => {
  it("recur each year, 29 February on 28 February of common years", () => {
    assert.deepStrictEqual(daysReachedOn("2026-02-28"), ["02-28", "02-29"])
    assert.deepStrictEqual(daysReachedOn("2028-02-28"), ["02-28"])
    assert.deepStrictEqual(daysReachedOn("2028-02-29"), ["02-29"])
    assert.deepStrictEqual(daysReachedOn("2100-02-28"), ["02-28", "02-29"])
    assert.isTrue(isDateReached(trigger(), "1992-02-29", "2026-02-28"))
    assert.isFalse(isDateReached(trigger(), "1992-02-29", "2028-02-28"))
    assert.isTrue(isDateReached(trigger(), "1992-02-29", "2028-02-29"))
  })

  it("are not reached before their first year", () => {
    assert.isFalse(isDateReached(trigger(), "2027-06-15", "2026-06-15"))
    assert.isTrue(isDateReached(trigger(), "2027-06-15", "2027-06-15"))
  })

  it("are reached once without repetition", () => {
    const once = trigger({ repeats: "once" })
    assert.isTrue(isDateReached(once, "2026-06-15", "2026-06-15"))
    assert.isFalse(isDateReached(once, "2025-06-15", "2026-06-15"))
  })

  it("start the offset later, or earlier, also in another year", () => {
    const before = trigger({ offsetDays: -365 })
    const start = startTimeOf(before, "2026-06-15", utc)
    assert.strictEqual(DateTime.formatIso(start), "2025-06-15T09:00:00.000Z")
    assert.deepStrictEqual(datesOfSearch(before, utc, start), ["2026-06-15"])
    const after = trigger({ offsetDays: 1 })
    assert.strictEqual(DateTime.formatIso(startTimeOf(after, "2026-12-31", utc)), "2027-01-01T09:00:00.000Z")
    assert.deepStrictEqual(datesOfSearch(after, utc, at("2027-01-01T09:00:00Z")), ["2026-12-31"])
  })

  it("start at the end of a gap of the clocks, and at the first instant of a repeated time", () => {
    const early = trigger({ localTime: "02:30" })
    assert.strictEqual(
      DateTime.formatIso(nextDateSearch(early, berlin, at("2026-03-28T12:00:00Z"))),
      "2026-03-29T01:00:00.000Z"
    )
    const repeated = nextDateSearch(early, berlin, at("2026-10-24T12:00:00Z"))
    assert.strictEqual(DateTime.formatIso(repeated), "2026-10-25T00:30:00.000Z")
    assert.strictEqual(DateTime.formatIso(nextDateSearch(early, berlin, repeated)), "2026-10-26T01:30:00.000Z")
  })

  it("are searched every quarter of an hour in the zones of contacts", () => {
    const local = trigger({ zone: "contact", localTime: "09:07" })
    const first = nextDateSearch(local, utc, at("2026-06-15T09:00:00Z"))
    assert.strictEqual(DateTime.formatIso(first), "2026-06-15T09:07:00.000Z")
    assert.strictEqual(DateTime.formatIso(nextDateSearch(local, utc, first)), "2026-06-15T09:22:00.000Z")
  })

  it("are covered by exactly one search in each zone, on each day around the changes of the clocks", () => {
    const zones = [
      "Pacific/Kiritimati",
      "Pacific/Niue",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "America/New_York",
      "Europe/Berlin",
      "Pacific/Chatham"
    ].map((name) => DateTime.zoneMakeNamedUnsafe(name))
    const periods = [
      ["2026-03-01T00:00:00Z", "2026-04-10T00:00:00Z"],
      ["2026-09-20T00:00:00Z", "2026-11-05T00:00:00Z"]
    ] as const
    const cases = ["00:00", "02:30", "09:07", "23:59"].flatMap((localTime) =>
      periods.map(([from, to]) => ({ localTime, from: at(from), to: at(to) }))
    )
    for (const { from, localTime, to } of cases) {
      const local = trigger({ zone: "contact", localTime, offsetDays: 3 })
      const found = new Map<string, number>()
      const end = DateTime.add(to, { days: 9 })
      let search = DateTime.subtract(from, { days: 11 })
      while (DateTime.isLessThan(search, end)) {
        search = nextDateSearch(local, utc, search)
        for (const date of datesOfSearch(local, utc, search)) {
          for (const [index, zone] of zones.entries()) {
            if (!isCoveredBySearch(startTimeOf(local, date, zone), search)) continue
            found.set(`${date} ${index}`, (found.get(`${date} ${index}`) ?? 0) + 1)
          }
        }
      }
      for (let day = from; DateTime.isLessThan(day, to);) {
        for (const index of zones.keys()) {
          const key = `${DateTime.formatIsoDateUtc(day)} ${index}`
          assert.strictEqual(found.get(key), 1, `${localTime} ${key}`)
        }
        day = DateTime.add(day, { days: 1 })
      }
    }
  })
})
