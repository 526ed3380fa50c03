import { assert, describe, it } from "@effect/vitest"
import { CronExpression, lastReachedOccurrence, nextOccurrence } from "@parley/domain/automation"
import { Arbitrary, DateTime, Schema } from "effect"

const zone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)
const utc = (text: string) => DateTime.makeUnsafe(text)
const intBetween = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const isCron = Schema.is(CronExpression)

/** The next occurrences as ISO times. */
const occurrences = (cron: string, name: string, from: string, count: number) => {
  const found: Array<string> = []
  let at = utc(from)
  while (found.length < count) {
    at = nextOccurrence(cron, zone(name), at)
    found.push(DateTime.formatIso(at))
  }
  return found
}

describe("cron expressions", () => {
  it("have five fields and at least 15 minutes between two times", () => {
    const fine = [
      "0 9 * * *",
      "*/15 * * * *",
      "0,20,40 * * * *",
      "30 8 1 jan mon",
      "0 0 29 2 *",
      "0,50 9 * * *",
      "5,55 0-22/2 * * *"
    ]
    for (const cron of fine) assert.isTrue(isCron(cron), cron)
    const refused = [
      "",
      "* * * * *",
      "*/14 * * * *",
      "0,50 * * * *",
      "0,50 9-10 * * *",
      "0,50 0,23 * * *",
      "0 0 9 * * *",
      "@daily",
      "0 25 * * *",
      "0 0 30 2 *",
      "0  9 * * *",
      "0 9 * * someday"
    ]
    for (const cron of refused) assert.isFalse(isCron(cron), cron)
  })
})

describe("the next occurrence", () => {
  it("is later than the given time", () => {
    assert.deepStrictEqual(occurrences("0 9 * * mon", "Europe/Berlin", "2026-11-23T08:00:00Z", 2), [
      "2026-11-30T08:00:00.000Z",
      "2026-12-07T08:00:00.000Z"
    ])
    assert.deepStrictEqual(occurrences("0 9 * * *", "UTC", "2026-11-23T08:59:59.999Z", 1), ["2026-11-23T09:00:00.000Z"])
  })

  it("is at the end of the gap if the clocks skip its local time, once", () => {
    assert.deepStrictEqual(occurrences("30 2 * * *", "Europe/Berlin", "2026-03-28T02:00:00Z", 2), [
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z"
    ])
    assert.deepStrictEqual(occurrences("0,30 2,3 * * *", "Europe/Berlin", "2026-03-29T00:59:00Z", 3), [
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:00:00.000Z"
    ])
  })

  it("is at the first instant if the clocks repeat its local time, once", () => {
    assert.deepStrictEqual(occurrences("30 2 * * *", "Europe/Berlin", "2026-10-24T22:00:00Z", 2), [
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z"
    ])
    assert.deepStrictEqual(occurrences("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1), [
      "2026-10-26T01:30:00.000Z"
    ])
  })

  it("finds leap days", () => {
    assert.deepStrictEqual(occurrences("0 9 29 2 *", "UTC", "2026-01-01T00:00:00Z", 2), [
      "2028-02-29T09:00:00.000Z",
      "2032-02-29T09:00:00.000Z"
    ])
  })

  it.prop(
    "increases and has the local time of the expression, outside of gaps",
    {
      name: Arbitrary.schema(
        Schema.Literals(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
      ),
      hour: intBetween(0, 23),
      minute: intBetween(0, 59),
      seconds: intBetween(1_767_225_600, 1_830_297_600)
    },
    ({ hour, minute, name, seconds }) => {
      const from = DateTime.makeUnsafe(seconds * 1_000)
      const next = nextOccurrence(`${minute} ${hour} * * *`, zone(name), from)
      assert.isTrue(DateTime.isGreaterThan(next, from))
      assert.isTrue(DateTime.isLessThanOrEqualTo(next, DateTime.add(from, { hours: 50 })))
      const local = DateTime.toParts(DateTime.setZone(next, zone(name)))
      const delay = (local.hour * 60 + local.minute - (hour * 60 + minute) + 1_440) % 1_440
      // A gap has at most an hour.
      assert.isAtMost(delay, 60)
    }
  )
})

describe("the last reached occurrence", () => {
  it("is the due one, or a later one with the number of missed ones", () => {
    const due = utc("2026-11-23T09:00:00Z")
    const reached = (now: string) => lastReachedOccurrence("0 * * * *", zone("UTC"), due, utc(now))
    assert.deepStrictEqual(reached("2026-11-23T09:00:00Z"), { at: due, missed: 0 })
    assert.deepStrictEqual(reached("2026-11-23T09:59:59Z"), { at: due, missed: 0 })
    assert.deepStrictEqual(reached("2026-11-23T12:30:00Z"), { at: utc("2026-11-23T12:00:00Z"), missed: 3 })
  })
})
