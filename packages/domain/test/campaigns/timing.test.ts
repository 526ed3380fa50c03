import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import {
  weekdayNames,
  contactDueAt,
  latestEnd,
  validateSchedule,
  hasMissedStart,
  lastContactDueAt,
  latestStart,
  Schedule,
  SendWindow,
  scheduledStart
} from "../../src/campaigns/timing/Schedule.ts"
import { areaCodeZones } from "../../src/campaigns/timing/areaCodeZones.ts"
import { countryZones } from "../../src/campaigns/timing/countryZones.ts"
import { commonWindowOpensAt, quietEndsAt, quietUntil, windowOpensAt } from "../../src/campaigns/timing/quietHours.ts"
import { lastContactZone, contactZones, toInstant, LocalTime } from "../../src/campaigns/timing/timeZones.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const iso = (time: DateTime.Utc | null) => (time === null ? null : DateTime.formatIso(time))
const zone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)
const berlin = zone("Europe/Berlin")

const zones = [
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "Africa/Casablanca",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
  "Europe/Dublin",
  "America/Asuncion",
  "Africa/Cairo",
  "UTC"
] as const

const ManyZones = Schema.Array(Schema.Literals(zones)).check(Schema.isBetweenLength(1, 4))
const Zones = Schema.Literals(zones)
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const two = (number: number) => String(number).padStart(2, "0")

/** Minutes of the years 2024 to 2029. */
const first = DateTime.toEpochMillis(at("2024-01-01T00:00:00Z"))
const Minutes = between(0, 6 * 365 * 24 * 60)
const instant = (minutes: number) => DateTime.makeUnsafe(first + minutes * 60_000)
const localText = (minutes: number) => DateTime.formatIso(instant(minutes)).slice(0, 16)

const Clocks = Schema.Struct({ hour: between(0, 23), minute: Schema.Literals([0, 15, 30, 45, 59]) })
const clockText = ({ hour, minute }: typeof Clocks.Type) => `${two(hour)}:${two(minute)}`

const Nights = Schema.Struct({ from: Clocks, to: Clocks }).check(
  Schema.makeFilter(({ from, to }) => clockText(from) !== clockText(to))
)
const Days = Schema.Array(Schema.Literals(weekdayNames)).check(Schema.isBetweenLength(1, 7), Schema.isUnique())

const isWindow = Schema.is(SendWindow)
const isLocal = Schema.is(LocalTime)
const isSchedule = Schema.is(Schedule)

describe("a clock time of a zone", () => {
  it.each([
    ["2026-12-01T09:00", "Europe/Berlin", "2026-12-01T08:00:00.000Z"],
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z"],
    ["2011-12-30T09:00", "Pacific/Apia", "2011-12-30T19:00:00.000Z"]
  ])("%s in %s is %s", (local, name, expected) => {
    assert.strictEqual(iso(toInstant(local, zone(name))), expected)
  })

  it.prop(
    "moves by the gap where it is missing, and is the first where there are two",
    { minutes: Minutes, name: Zones },
    ({ minutes, name }) => {
      const local = localText(minutes)
      const known = Temporal.PlainDateTime.from(local).toZonedDateTime(name, { disambiguation: "compatible" })
      assert.strictEqual(DateTime.toEpochMillis(toInstant(local, zone(name))), known.epochMilliseconds)
    },
    { arbitrary: { runs: 1_000 } }
  )

  it.prop(
    "is so round every change of the clocks, too",
    { name: Zones, year: between(2024, 2029), minute: between(-200, 200) },
    ({ minute, name, year }) => {
      let change = Temporal.Instant.from(`${year}-01-01T00:00:00Z`)
        .toZonedDateTimeISO(name)
        .getTimeZoneTransition("next")
      for (; change !== null && change.year <= year; change = change.getTimeZoneTransition("next")) {
        const local = change.toPlainDateTime().add({ minutes: minute })
        const text = local.toString({ smallestUnit: "minute" })
        assert.strictEqual(
          DateTime.toEpochMillis(toInstant(text, zone(name))),
          Temporal.PlainDateTime.from(text).toZonedDateTime(name).epochMilliseconds,
          `${text} ${name}`
        )
      }
    }
  )

  it.each([
    ["2026-12-01T09:00", true],
    ["2028-02-29T00:00", true],
    ["2026-02-29T09:00", false],
    ["2026-04-31T09:00", false],
    ["2026-12-01T24:00", false],
    ["2026-12-01T09:00:00", false],
    ["2026-12-01T09:00Z", false],
    ["0000-12-01T09:00", false]
  ])("is written so: %s", (text, fits) => {
    assert.strictEqual(isLocal(text), fits)
  })
})

describe("a schedule", () => {
  const everywhere = { localAt: "2026-12-01T09:00", zone: "contact" } as const

  it("starts at its instant, by the organization's clocks, or when the first clocks of the world show it", () => {
    assert.strictEqual(iso(scheduledStart({ at: at("2026-12-01T09:00:00Z") }, berlin)), "2026-12-01T09:00:00.000Z")
    assert.strictEqual(iso(scheduledStart({ localAt: "2026-12-01T09:00" }, berlin)), "2026-12-01T08:00:00.000Z")
    assert.strictEqual(iso(scheduledStart(everywhere, berlin)), "2026-11-30T19:00:00.000Z")
    assert.strictEqual(iso(lastContactDueAt(everywhere, berlin)), "2026-12-01T21:00:00.000Z")
    assert.isNull(scheduledStart({}, berlin))
  })

  it("is due in the local time of each contact on request", () => {
    assert.strictEqual(iso(contactDueAt(everywhere, [zone("Asia/Tokyo")], berlin)), "2026-12-01T00:00:00.000Z")
    assert.strictEqual(
      iso(contactDueAt({ localAt: "2026-12-01T09:00" }, [zone("Asia/Tokyo")], berlin)),
      "2026-12-01T08:00:00.000Z"
    )
    assert.isNull(contactDueAt({}, [berlin], berlin))
  })

  it.prop(
    "in local time has no recipient due before the start or after the last zone",
    { minutes: Minutes, names: ManyZones },
    ({ minutes, names }) => {
      const moment = { localAt: localText(minutes), zone: "contact" } as const
      const due = contactDueAt(moment, names.map(zone), berlin)
      const start = scheduledStart(moment, berlin)
      const last = lastContactDueAt(moment, berlin)
      if (due === null || start === null || last === null) return assert.fail("it has times")
      assert.isTrue(DateTime.isLessThanOrEqualTo(start, due) && DateTime.isLessThanOrEqualTo(due, last))
      // It is early in no zone.
      for (const name of names) {
        assert.isTrue(DateTime.isLessThanOrEqualTo(toInstant(moment.localAt, zone(name)), due))
      }
    }
  )

  it("has passed a contact only if it starts late", () => {
    const due = at("2026-12-01T09:00:00Z")
    assert.isFalse(hasMissedStart(due, at("2026-12-01T09:05:00Z")))
    assert.isTrue(hasMissedStart(due, at("2026-12-01T09:05:01Z")))
  })

  it("has a day to start, and 30 to end, if it does not say otherwise", () => {
    const start = at("2026-12-01T09:00:00Z")
    assert.strictEqual(iso(latestStart({}, start)), "2026-12-02T09:00:00.000Z")
    assert.strictEqual(iso(latestEnd({}, start)), "2026-12-31T09:00:00.000Z")
    assert.strictEqual(iso(latestEnd({ endBy: at("2026-12-01T10:00:00Z") }, start)), "2026-12-01T10:00:00.000Z")
  })

  const now = at("2026-11-22T12:00:00Z")
  const faults = (schedule: Schedule, startsNow = false) =>
    validateSchedule(schedule, { now, organizationZone: berlin, startsNow }).map(({ pointer }) => pointer)

  it.each([
    ["nothing", {}, [""]],
    ["both times", { at: at("2026-12-01T09:00:00Z"), localAt: "2026-12-01T09:00" }, ["/localAt"]],
    ["the past", { at: at("2026-11-22T11:59:59Z") }, ["/at"]],
    ["now", { at: now }, []],
    ["365 days", { at: at("2027-11-22T12:00:00Z") }, []],
    ["more than 365 days", { at: at("2027-11-22T12:00:01Z") }, ["/at"]],
    ["more than 365 days of a clock", { localAt: "2027-11-22T13:01" }, ["/localAt"]],
    ["a clock of the past", { localAt: "2026-11-22T12:59" }, ["/localAt"]],
    ["a clock that only some contacts have passed", { localAt: "2026-11-22T13:00", zone: "contact" }, []],
    ["a clock that is too late to start by", { localAt: "2026-11-22T01:00", zone: "contact" }, ["/localAt"]],
    [
      "the same with a later start",
      { localAt: "2026-11-22T01:00", zone: "contact", notAfter: at("2026-11-22T13:00:00Z") },
      []
    ],
    ["a clock that all contacts have passed", { localAt: "2026-11-21T23:59", zone: "contact" }, ["/localAt"]],
    ["an end before the start", { at: at("2026-12-01T09:00:00Z"), endBy: at("2026-12-01T08:00:00Z") }, ["/endBy"]],
    ["an end at the start", { at: at("2026-12-01T09:00:00Z"), endBy: at("2026-12-01T09:00:00Z") }, ["/endBy"]],
    ["no time to start", { at: at("2026-12-01T09:00:00Z"), notAfter: at("2026-12-01T08:00:00Z") }, ["/notAfter"]],
    ["an end", { at: at("2026-12-01T09:00:00Z"), endBy: at("2026-12-01T10:00:00Z") }, []]
  ] as const)("can be invalid: %s", (_, schedule, pointers) => {
    assert.deepStrictEqual(faults(schedule), [...pointers])
  })

  it("of a broadcast that starts now says no time, and may say when it ends", () => {
    assert.deepStrictEqual(faults({}, true), [])
    assert.deepStrictEqual(faults({ at: at("2026-12-01T09:00:00Z") }, true), ["/at"])
    assert.deepStrictEqual(faults({ endBy: now }, true), ["/endBy"])
  })

  it("is of a shape", () => {
    assert.isTrue(isSchedule({ ...everywhere, passed: "skip", window: { days: ["mon"], from: "22:00", to: "06:00" } }))
    assert.isFalse(isSchedule({ ...everywhere, zone: "Europe/Berlin" }))
  })
})

describe("a window", () => {
  it.each([
    [{ days: ["mon"], from: "09:00", to: "17:00" }, true],
    [{ days: ["mon"], from: "22:00", to: "06:00" }, true],
    [{ days: ["mon"], from: "09:00", to: "09:00" }, false],
    [{ days: [], from: "09:00", to: "17:00" }, false],
    [{ days: ["mon", "mon"], from: "09:00", to: "17:00" }, false],
    [{ days: ["mon"], from: "9:00", to: "17:00" }, false],
    [{ days: ["mon"], from: "09:00", to: "24:00" }, false]
  ])("is of a shape: %j", (window, fits) => {
    assert.strictEqual(isWindow(window), fits)
  })

  const weekdays: SendWindow = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }
  const nights: SendWindow = { days: ["fri"], from: "22:00", to: "06:00" }

  it.each([
    ["open", weekdays, "2026-11-23T10:00:00Z", "2026-11-23T10:00:00.000Z"],
    ["as it opens", weekdays, "2026-11-23T08:00:00Z", "2026-11-23T08:00:00.000Z"],
    ["before", weekdays, "2026-11-23T07:59:59Z", "2026-11-23T08:00:00.000Z"],
    ["as it closes", weekdays, "2026-11-23T16:00:00Z", "2026-11-24T08:00:00.000Z"],
    ["at the weekend", weekdays, "2026-11-27T20:00:00Z", "2026-11-30T08:00:00.000Z"],
    ["over midnight", nights, "2026-11-28T03:00:00Z", "2026-11-28T03:00:00.000Z"],
    ["the night after", nights, "2026-11-28T22:00:00Z", "2026-12-04T21:00:00.000Z"],
    [
      "hours that are skipped",
      { days: ["sun"], from: "02:15", to: "02:45" },
      "2026-03-29T00:00:00Z",
      "2026-03-29T01:15:00.000Z"
    ]
  ] as const)("opens: %s", (_, window, now, expected) => {
    assert.strictEqual(iso(windowOpensAt(window, berlin, at(now))), expected)
  })

  it.prop(
    "opens within eight days, when its clock shows so, and is open then",
    { minutes: Minutes, name: Zones, hours: Nights, days: Days },
    ({ days: on, hours, minutes, name }) => {
      const window = { days: on, from: clockText(hours.from), to: clockText(hours.to) }
      const now = instant(minutes)
      const opens = windowOpensAt(window, zone(name), now)
      assert.isTrue(DateTime.isLessThanOrEqualTo(now, opens))
      assert.isTrue(DateTime.isLessThan(opens, DateTime.add(now, { days: 8, hours: 2 })))
      assert.strictEqual(iso(windowOpensAt(window, zone(name), opens)), iso(opens))
      const local = Temporal.Instant.fromEpochMilliseconds(DateTime.toEpochMillis(opens)).toZonedDateTimeISO(name)
      const clock = local.toPlainTime().toString({ smallestUnit: "minute" })
      const moved = local.add({ nanoseconds: 1 }).getTimeZoneTransition("previous")
      // Round a change of the clocks both ends may have moved.
      if (moved !== null && local.since(moved).total("hours") < 26) return
      const isOvernight = window.to < window.from
      const day = weekdayNames[local.dayOfWeek - 1]
      const before = weekdayNames[(local.dayOfWeek + 5) % 7]
      const today = on.some((each) => each === day) && clock >= window.from && (isOvernight || clock < window.to)
      const sinceYesterday = isOvernight && on.some((each) => each === before) && clock < window.to
      assert.isTrue(today || sinceYesterday, `${local.toString()} ${JSON.stringify(window)}`)
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("quiet hours", () => {
  const night = { from: "21:00", to: "08:00" }

  it.each([
    ["by day", "2026-11-23T12:00:00Z", null],
    ["as they begin", "2026-11-23T20:00:00Z", "2026-11-24T07:00:00.000Z"],
    ["after midnight", "2026-11-24T02:00:00Z", "2026-11-24T07:00:00.000Z"],
    ["as they end", "2026-11-24T07:00:00Z", null],
    ["in the night of a change", "2026-03-28T22:00:00Z", "2026-03-29T06:00:00.000Z"]
  ])("end: %s", (_, now, expected) => {
    assert.strictEqual(iso(quietUntil(night, berlin, at(now))), expected)
  })

  it.prop(
    "are what the rest of the day is not",
    { minutes: Minutes, name: Zones, hours: Nights },
    ({ hours, minutes, name }) => {
      const quiet = { from: clockText(hours.from), to: clockText(hours.to) }
      const loud = { days: weekdayNames, from: quiet.to, to: quiet.from }
      const now = instant(minutes)
      const until = quietUntil(quiet, zone(name), now)
      const opens = windowOpensAt(loud, zone(name), now)
      if (until === null) assert.strictEqual(iso(opens), iso(now))
      else assert.isTrue(DateTime.isLessThan(now, until) && DateTime.isLessThanOrEqualTo(opens, until))
    },
    { arbitrary: { runs: 500 } }
  )
})

/** Reference implementation of quiet hours: checks each minute. */
const isQuietIn = (name: string, { from, to }: { readonly from: string; readonly to: string }, now: DateTime.Utc) => {
  const local = Temporal.Instant.fromEpochMilliseconds(DateTime.toEpochMillis(now)).toZonedDateTimeISO(name)
  const clock = local.toPlainTime().toString({ smallestUnit: "minute" })
  return from < to ? clock >= from && clock < to : clock >= from || clock < to
}

/** Whether a zone changes its clocks within two days. Both ends of quiet hours can move then. */
const isChanged = (name: string, now: DateTime.Utc) => {
  const offset = (days: number) =>
    Temporal.Instant.fromEpochMilliseconds(DateTime.toEpochMillis(DateTime.add(now, { days }))).toZonedDateTimeISO(name)
      .offsetNanoseconds
  return [-2, -1, 1, 2, 3].some((days) => offset(days) !== offset(0))
}

describe("quiet hours in several zones", () => {
  it.prop(
    "end when no zone has quiet hours, and a day later if that never happens",
    { minutes: Minutes, names: ManyZones, hours: Nights },
    ({ hours, minutes, names }) => {
      const quiet = { from: clockText(hours.from), to: clockText(hours.to) }
      const now = instant(minutes)
      if (names.some((name) => isChanged(name, now))) return
      const isQuiet = (time: DateTime.Utc) => names.some((name) => isQuietIn(name, quiet, time))
      const until = quietEndsAt(quiet, names.map(zone), now)
      assert.strictEqual(until !== null, isQuiet(now))
      if (until === null) return
      let first: DateTime.Utc | null = null
      for (let minute = 1; minute <= 24 * 60 && first === null; minute += 1) {
        const time = DateTime.add(now, { minutes: minute })
        if (!isQuiet(time)) first = time
      }
      assert.strictEqual(iso(until), iso(first ?? DateTime.add(now, { days: 1 })))
    },
    { arbitrary: { runs: 200 } }
  )

  it("never end when the zones of a country share no open hour", () => {
    const russia = contactZones({ timezone: null, phone: "+79161234567" }, "UTC").map(zone)
    const now = at("2026-11-23T12:00:00Z")
    assert.isNotNull(quietEndsAt({ from: "19:00", to: "09:00" }, russia, now))
    // 21:00 in Kamchatka is 11:00 in Kaliningrad, where quiet hours end at 08:00.
    assert.strictEqual(iso(quietEndsAt({ from: "21:00", to: "08:00" }, russia, now)), "2026-11-24T06:00:00.000Z")
  })
})

describe("a window in several zones", () => {
  const window: SendWindow = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }
  const states = ["America/New_York", "Pacific/Honolulu"].map(zone)

  it("opens when all zones are within the window", () => {
    const opens = commonWindowOpensAt(window, states, berlin, at("2026-11-23T12:00:00Z"))
    assert.strictEqual(iso(opens), "2026-11-23T19:00:00.000Z")
  })

  it("opens by the other zone when the zones share no open time", () => {
    const narrow: SendWindow = { ...window, from: "09:00", to: "11:00" }
    const opens = commonWindowOpensAt(narrow, states, berlin, at("2026-11-23T12:00:00Z"))
    assert.strictEqual(iso(opens), "2026-11-24T08:00:00.000Z")
  })
})

describe("the zones of a contact", () => {
  it.each([
    ["its own", { timezone: "Asia/Tokyo", phone: "+16502530000" }, ["Asia/Tokyo"]],
    ["that of its number's country", { timezone: null, phone: "+4930123456" }, ["Europe/Berlin"]],
    ["one of those that show the same", { timezone: null, phone: "+541143211234" }, ["America/Argentina/Buenos_Aires"]],
    [
      "every zone of its number's country",
      { timezone: null, phone: "+5511987654321" },
      ["America/Noronha", "America/Belem", "America/Campo_Grande", "America/Eirunepe"]
    ],
    ["that of its area code", { timezone: null, phone: "+16502530000" }, ["America/Los_Angeles"]],
    ["those of its area code", { timezone: null, phone: "+12082345678" }, ["America/Denver", "America/Los_Angeles"]],
    ["that of an island of the North American plan", { timezone: null, phone: "+18765123456" }, ["America/Jamaica"]],
    ["that of a Canadian area code", { timezone: null, phone: "+13065123456" }, ["America/Regina"]],
    ["the organization's, if the number is of no country", { timezone: null, phone: "+80012345678" }, ["Asia/Tokyo"]],
    ["the organization's, if there is no number", { timezone: null, phone: null }, ["Asia/Tokyo"]]
  ])("are %s", (_, contact, expected) => {
    assert.deepStrictEqual(contactZones(contact, "Asia/Tokyo"), expected)
    assert.strictEqual(lastContactZone(contact, "Asia/Tokyo"), expected.at(-1))
  })

  const noons = Array.from({ length: 36 }, (_, month) => Date.UTC(2026, month, 15, 12))

  const offsets = (name: string) =>
    noons
      .map((noon) => Temporal.Instant.fromEpochMilliseconds(noon).toZonedDateTimeISO(name).offsetNanoseconds)
      .join(" ")

  it("equal all clocks that the runtime has for a country", () => {
    const wrong = Object.entries(countryZones).flatMap(([country, zones = ""]) => {
      const known = new Set(zones.split(" ").map(offsets))
      const all = new Intl.Locale(`und-${country}`).getTimeZones?.() ?? []
      return all.filter((each) => !known.has(offsets(each))).map((each) => `${country} ${each}`)
    })
    assert.deepStrictEqual(wrong, [])
    const several = Object.entries(countryZones).filter(([, zones = ""]) => zones.includes(" "))
    assert.includeMembers(
      several.map(([country]) => country),
      ["US", "CA", "MX", "BR", "RU", "AU", "ID", "MN", "CD", "CL", "EC", "ES", "PT", "PF", "KI", "FM", "NZ", "GL", "UA"]
    )
  })

  it("exist in the runtime for every country and area code", () => {
    const all = [...Object.values(countryZones), ...Object.keys(areaCodeZones)].flatMap((zones = "") =>
      zones.split(" ")
    )
    assert.isEmpty(all.filter((name) => DateTime.zoneMakeNamed(name)._tag === "None"))
    const codes = Object.values(areaCodeZones).flatMap((each) => each.split(" "))
    assert.strictEqual(new Set(codes).size, codes.length)
    assert.isAbove(codes.length, 350)
  })
})
