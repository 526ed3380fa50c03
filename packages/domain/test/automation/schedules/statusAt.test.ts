import { assert, describe, it } from "@effect/vitest"
import { toLocalTime } from "@parley/domain/kernel"
import { isOpenAt, nextOpeningAfter, statusAt, type Week } from "@parley/domain/automation"
import { Arbitrary, DateTime, Schema } from "effect"

const wholes = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))

const never: Week = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

const always = ["00:00", "24:00"]

const zoneNamed = DateTime.zoneMakeNamedUnsafe

const berlin = zoneNamed("Europe/Berlin")

const result = (
  week: Partial<Week>,
  at: string,
  holidays: Parameters<typeof statusAt>[0]["holidays"] = [],
  zone = berlin
) => {
  const { nextChangeAt, open } = statusAt({ weekly: { ...never, ...week }, holidays }, zone, DateTime.makeUnsafe(at))
  return [open ? "open" : "closed", nextChangeAt === null ? null : DateTime.formatIso(nextChangeAt).slice(0, 16)]
}

const weekdays = {
  mon: [["09:00", "18:00"]],
  fri: [
    ["09:00", "12:00"],
    ["13:00", "16:00"]
  ]
}

describe("the status of a schedule", () => {
  // 2026-11-23 is a Monday.
  it("is open from its beginning to just before its end", () => {
    assert.deepStrictEqual(result(weekdays, "2026-11-23T07:59:59.999Z"), ["closed", "2026-11-23T08:00"])
    assert.deepStrictEqual(result(weekdays, "2026-11-23T08:00:00Z"), ["open", "2026-11-23T17:00"])
    assert.deepStrictEqual(result(weekdays, "2026-11-23T16:59:59.999Z"), ["open", "2026-11-23T17:00"])
    assert.deepStrictEqual(result(weekdays, "2026-11-23T17:00:00Z"), ["closed", "2026-11-27T08:00"])
    assert.deepStrictEqual(result(weekdays, "2026-11-27T11:30:00Z"), ["closed", "2026-11-27T12:00"])
  })

  it("goes on over midnight where one day ends at 24:00 and the next begins at 00:00", () => {
    const night = {
      mon: [["22:00", "24:00"]],
      tue: [
        ["00:00", "02:00"],
        ["02:00", "06:00"]
      ]
    }
    assert.deepStrictEqual(result(night, "2026-11-23T22:30:00Z"), ["open", "2026-11-24T05:00"])
    assert.deepStrictEqual(result(night, "2026-11-24T00:30:00Z"), ["open", "2026-11-24T05:00"])
  })

  it("prefers holiday hours to weekly hours, and dated holidays to yearly ones", () => {
    const yearly = { date: "2020-11-23", yearly: true, name: "Yearly", spans: [] }
    assert.deepStrictEqual(result(weekdays, "2026-11-23T10:00:00Z", [yearly]), ["closed", "2026-11-27T08:00"])
    const once = { date: "2026-11-23", yearly: false, name: "Once", spans: [["10:00", "11:30"]] }
    assert.deepStrictEqual(result(weekdays, "2026-11-23T10:00:00Z", [yearly, once]), ["open", "2026-11-23T10:30"])
    assert.deepStrictEqual(result(weekdays, "2027-11-23T10:00:00Z", [once, yearly]), ["closed", "2027-11-26T08:00"])
  })

  it("never changes if it is always open, or never", () => {
    const all = {
      mon: [always],
      tue: [always],
      wed: [always],
      thu: [always],
      fri: [always],
      sat: [always],
      sun: [always]
    }
    assert.deepStrictEqual(result(all, "2026-11-23T10:00:00Z"), ["open", null])
    assert.deepStrictEqual(result(never, "2026-11-23T10:00:00Z"), ["closed", null])
    const holiday = { date: "2027-01-01", yearly: false, name: "New Year", spans: [["08:00", "24:00"]] }
    assert.deepStrictEqual(result(all, "2026-11-23T10:00:00Z", [holiday]), ["open", "2026-12-31T23:00"])
    assert.deepStrictEqual(result(never, "2026-11-23T10:00:00Z", [holiday]), ["closed", "2027-01-01T07:00"])
  })

  it("takes the next moment of a time that is skipped, and the first of two", () => {
    // Clocks in Berlin go from 02:00 to 03:00 on 29 March, and from 03:00 to 02:00 on 25 October 2026.
    assert.deepStrictEqual(result({ sun: [["02:30", "04:00"]] }, "2026-03-29T00:00:00Z"), [
      "closed",
      "2026-03-29T01:00"
    ])
    assert.deepStrictEqual(result({ sun: [["02:15", "02:45"]] }, "2026-03-29T00:00:00Z"), [
      "closed",
      "2026-04-05T00:15"
    ])
    assert.deepStrictEqual(result({ sun: [["01:00", "02:30"]] }, "2026-10-25T00:00:00Z"), ["open", "2026-10-25T00:30"])
    assert.deepStrictEqual(result({ sun: [["02:30", "05:00"]] }, "2026-10-25T00:00:00Z"), [
      "closed",
      "2026-10-25T00:30"
    ])
  })

  const clock = Arbitrary.map(wholes(95), (quarter) => {
    const two = (number: number) => String(number).padStart(2, "0")
    return `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`
  })
  const spans = Arbitrary.map(Arbitrary.array(clock, { maxLength: 6 }), (times) => {
    const sorted = [...new Set(times)].toSorted()
    return sorted.flatMap((from, index) => {
      const to = sorted[index + 1]
      return index % 2 === 0 ? [[from, to ?? "24:00"]] : []
    })
  })

  it.prop(
    "is what the clocks say, quarter hour by quarter hour, where they go on evenly",
    {
      weekly: Arbitrary.all({ mon: spans, tue: spans, wed: spans, thu: spans, fri: spans, sat: spans, sun: spans }),
      quarter: wholes(20_000),
      zone: Arbitrary.map(wholes(3), (index) =>
        zoneNamed(["UTC", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Phoenix"][index] ?? "UTC")
      )
    },
    ({ quarter, weekly, zone }) => {
      const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const
      const isOpen = (at: DateTime.Utc) => {
        const local = toLocalTime(at, zone)
        const day = names[DateTime.getPartUtc(DateTime.makeUnsafe(`${local}:00Z`), "weekDay")] ?? "sun"
        return weekly[day].some(([from = "", to = ""]) => from <= local.slice(11) && local.slice(11) < to)
      }
      const at = DateTime.add(DateTime.makeUnsafe("2026-01-01T00:00:00Z"), { minutes: quarter * 15 })
      const now = isOpen(at)
      let next: DateTime.Utc | null = null
      for (let ahead = 1; ahead <= 8 * 96 && next === null; ahead += 1) {
        const later = DateTime.add(at, { minutes: ahead * 15 })
        if (isOpen(later) !== now) next = later
      }
      const { nextChangeAt, open } = statusAt({ weekly, holidays: [] }, zone, at)
      assert.deepStrictEqual(
        [open, nextChangeAt && DateTime.formatIso(nextChangeAt)],
        [now, next && DateTime.formatIso(next)]
      )
    }
  )

  it.prop(
    "is open when it is asked for that alone, also where clocks change and on holidays",
    {
      weekly: Arbitrary.all({ mon: spans, tue: spans, wed: spans, thu: spans, fri: spans, sat: spans, sun: spans }),
      ofHoliday: spans,
      minutes: wholes(600_000),
      zone: Arbitrary.map(wholes(4), (index) =>
        zoneNamed(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana"][index] ?? "UTC")
      )
    },
    ({ minutes, ofHoliday, weekly, zone }) => {
      const holidays = [{ date: "2020-10-25", yearly: true, name: "Yearly", spans: ofHoliday }]
      const at = DateTime.add(DateTime.makeUnsafe("2026-01-01T00:00:00Z"), { minutes })
      assert.strictEqual(isOpenAt({ weekly, holidays }, zone, at), statusAt({ weekly, holidays }, zone, at).open)
    }
  )
})

describe("the next opening of a schedule", () => {
  const opening = (week: Partial<Week>, at: string, holidays: Parameters<typeof statusAt>[0]["holidays"] = []) => {
    const found = nextOpeningAfter({ weekly: { ...never, ...week }, holidays }, berlin, DateTime.makeUnsafe(at))
    return found === null ? null : DateTime.formatIso(found).slice(0, 16)
  }

  it("is after the current one while it is open", () => {
    assert.strictEqual(opening(weekdays, "2026-11-23T07:59:59.999Z"), "2026-11-23T08:00")
    assert.strictEqual(opening(weekdays, "2026-11-23T08:00:00Z"), "2026-11-27T08:00")
    assert.strictEqual(opening(weekdays, "2026-11-27T09:00:00Z"), "2026-11-27T12:00")
    assert.strictEqual(opening(weekdays, "2026-11-27T15:00:00Z"), "2026-11-30T08:00")
  })

  it("is not at a boundary of adjacent spans", () => {
    const night = { mon: [["20:00", "24:00"]], tue: [["00:00", "04:00"]] }
    assert.strictEqual(opening(night, "2026-11-23T20:00:00Z"), "2026-11-30T19:00")
  })

  it("skips holidays, and does not exist if the schedule never opens or never closes", () => {
    const holiday = { date: "2026-11-27", yearly: false, name: "Party", spans: [] }
    assert.strictEqual(opening(weekdays, "2026-11-24T09:00:00Z", [holiday]), "2026-11-30T08:00")
    assert.isNull(opening({}, "2026-11-23T09:00:00Z"))
    const each = [always]
    const everyDay = { mon: each, tue: each, wed: each, thu: each, fri: each, sat: each, sun: each }
    assert.isNull(opening(everyDay, "2026-11-23T09:00:00Z"))
  })

  it("is the next change while it is closed", () => {
    const hours = { weekly: { ...never, ...weekdays }, holidays: [] }
    const closed = Array.from({ length: 24 * 14 }, (_, hour) =>
      DateTime.add(DateTime.makeUnsafe("2026-11-23T00:30:00Z"), { hours: hour })
    ).filter((at) => !statusAt(hours, berlin, at).open)
    assert.isNotEmpty(closed)
    assert.deepStrictEqual(
      closed.map((at) => nextOpeningAfter(hours, berlin, at)),
      closed.map((at) => statusAt(hours, berlin, at).nextChangeAt)
    )
  })
})
