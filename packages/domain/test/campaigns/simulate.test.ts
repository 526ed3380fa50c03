import { assert, describe, it } from "@effect/vitest"
import { simulate, type SimulationInput } from "@parley/domain/campaigns"
import { DateTime } from "effect"

const at = (text: string) => DateTime.makeUnsafe(text)

const inZones = (names: ReadonlyArray<string>, count: number, dueAt: DateTime.Utc | null = null) => ({
  zones: names.map((name) => DateTime.zoneMakeNamedUnsafe(name)),
  count,
  dueAt
})

const zone = (name: string, count: number, dueAt: DateTime.Utc | null = null) => inZones([name], count, dueAt)

const lisbon = DateTime.zoneMakeNamedUnsafe("Europe/Lisbon")

const given = (overrides: Partial<SimulationInput> = {}): SimulationInput => ({
  zones: [zone("Europe/Lisbon", 9_600)],
  startsAt: at("2026-03-02T08:50:00Z"),
  endsAt: at("2026-04-01T08:50:00Z"),
  accountRate: 4,
  throttle: null,
  dailyLimit: null,
  quietHours: null,
  window: null,
  ...overrides
})

const shown = ({ firstAt, hours, lastAt, limitedBy, sent }: ReturnType<typeof simulate>) => ({
  sent,
  first: firstAt === null ? null : DateTime.formatIso(firstAt),
  last: lastAt === null ? null : DateTime.formatIso(lastAt),
  hours: hours.map(({ at, count }) => [DateTime.formatIso(at).slice(5, 16), count]),
  limitedBy
})

describe("a simulation of a broadcast", () => {
  it("goes at the pace of the account, hour by hour", () => {
    assert.deepStrictEqual(shown(simulate(given())), {
      sent: 9_600,
      first: "2026-03-02T08:50:00.000Z",
      last: "2026-03-02T09:30:00.000Z",
      hours: [
        ["03-02T08:00", 2_400],
        ["03-02T09:00", 7_200]
      ],
      limitedBy: []
    })
  })

  it("goes at its own pace where that is slower", () => {
    const { last, limitedBy } = shown(simulate(given({ throttle: 60 })))
    assert.deepStrictEqual([last, limitedBy], ["2026-03-02T11:30:00.000Z", ["throttle"]])
  })

  it("waits for its window, and for the end of quiet hours", () => {
    const window = { days: ["tue"], from: "09:00", to: "10:00", zone: lisbon, isByContacts: true } as const
    const { first, limitedBy } = shown(simulate(given({ window, quietHours: { from: "08:00", to: "09:30" } })))
    assert.deepStrictEqual([first, limitedBy], ["2026-03-03T09:30:00.000Z", ["quiet_hours", "window"]])
  })

  it("waits for the local night of each contact and sends to others", () => {
    const zones = [zone("Asia/Tokyo", 1_000), zone("Europe/Lisbon", 2_000), zone("America/New_York", 500)]
    const { hours, limitedBy, sent } = shown(
      simulate(given({ zones, startsAt: at("2026-03-02T12:00:00Z"), quietHours: { from: "20:00", to: "08:00" } }))
    )
    assert.deepStrictEqual([sent, limitedBy], [3_500, ["quiet_hours"]])
    assert.deepStrictEqual(hours, [
      ["03-02T12:00", 2_000],
      ["03-02T13:00", 500],
      ["03-02T23:00", 1_000]
    ])
  })

  it("waits during quiet hours in any possible zone of the contacts", () => {
    const zones = [inZones(["America/New_York", "America/Los_Angeles", "Pacific/Honolulu"], 10)]
    const quietHours = { from: "20:00", to: "08:00" }
    const { hours } = shown(simulate(given({ zones, startsAt: at("2026-03-02T12:00:00Z"), quietHours })))
    // 08:00 in Honolulu, where it is 13:00 in New York.
    assert.deepStrictEqual(hours, [["03-02T18:00", 10]])
  })

  it("sends to each recipient at its local due time within the window", () => {
    const zones = [zone("Asia/Tokyo", 10, at("2026-03-02T10:00:00Z")), zone("Europe/Lisbon", 10)]
    const window = { days: ["mon"], from: "09:00", to: "20:00" } as const
    const ofAll = shown(simulate(given({ zones, window: { ...window, zone: lisbon, isByContacts: false } })))
    assert.deepStrictEqual(ofAll.hours, [
      ["03-02T09:00", 10],
      ["03-02T10:00", 10]
    ])
    const ofEach = shown(simulate(given({ zones, window: { ...window, zone: lisbon, isByContacts: true } })))
    assert.deepStrictEqual(ofEach.hours, ofAll.hours)
  })

  it("sends to no more in any 24 hours than the limit", () => {
    const { last, limitedBy, sent } = shown(simulate(given({ dailyLimit: { most: 4_000, reached: [] } })))
    assert.deepStrictEqual([sent, limitedBy], [9_600, ["daily_limit"]])
    assert.isTrue(last !== null && last > "2026-03-04T08:50" && last < "2026-03-04T09:30")
  })

  it("counts for the limit who was written to before", () => {
    const reached = [{ at: at("2026-03-02T07:50:00Z"), count: 3_000 }]
    const { hours } = shown(simulate(given({ dailyLimit: { most: 4_000, reached } })))
    assert.deepStrictEqual(hours.slice(0, 3), [
      ["03-02T08:00", 1_000],
      ["03-03T08:00", 3_000],
      ["03-03T09:00", 1_000]
    ])
  })

  it("stops at its end with recipients left; says nothing about an empty audience", () => {
    assert.strictEqual(simulate(given({ endsAt: at("2026-03-02T09:00:00Z") })).sent, 2_400)
    assert.deepStrictEqual(shown(simulate(given({ zones: [] }))), {
      sent: 0,
      first: null,
      last: null,
      hours: [],
      limitedBy: []
    })
  })
})
