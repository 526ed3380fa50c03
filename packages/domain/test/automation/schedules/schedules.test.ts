import { assert, layer } from "@effect/vitest"
import { updateOrganization } from "@parley/domain/platform"
import { createSchedule, getSchedule, getScheduleStatus, NewSchedule, updateSchedule } from "@parley/domain/automation"
import { listEvents } from "@parley/domain/composition"
import { asOwnerOf, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect, Exit, Schema } from "effect"

const decode = Schema.decodeUnknownExit(NewSchedule, { errors: "all", onExcessProperty: "error" })

const faultOf = (part: object) => {
  const exit = decode({ name: "Support", weekly: {}, ...part })
  return Exit.isFailure(exit) ? String(exit.cause) : "none"
}

const status = Effect.fnUntraced(function* (id: Parameters<typeof getSchedule>[0]["id"], at: string) {
  const { nextChangeAt, open } = yield* getScheduleStatus({ id, at: DateTime.makeUnsafe(at) })
  return [open, nextChangeAt && DateTime.formatIso(nextChangeAt)]
})

const inOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => effect.pipe(asOwnerOf(organization)))

layer(TestKit.layer)("schedules", (it) => {
  it.effect("are closed on days that are not named, and keep holidays in the order of their dates", () =>
    inOrganization(
      Effect.gen(function* () {
        const { id } = yield* createSchedule({
          name: "Support",
          weekly: { mon: [["09:00", "18:00"]] },
          holidays: [
            { date: "2026-12-26", yearly: true, name: "Boxing Day" },
            { date: "2026-12-24", name: "Christmas Eve", spans: [["09:00", "12:00"]] }
          ]
        })
        const { holidays, timezone, weekly } = yield* getSchedule({ id })
        assert.isNull(timezone)
        assert.deepStrictEqual(Object.values(weekly).flat(), [["09:00", "18:00"]])
        assert.deepStrictEqual(
          holidays.map(({ date, spans, yearly }) => [date, yearly, spans.length]),
          [
            ["2026-12-24", false, 1],
            ["2026-12-26", true, 0]
          ]
        )
      })
    )
  )

  it.effect("report no change after the last representable year", () =>
    inOrganization(
      Effect.gen(function* () {
        const { id } = yield* createSchedule({ name: "Support", weekly: { mon: [["09:00", "18:00"]] } })
        assert.deepStrictEqual(yield* status(id, "9999-12-31T12:00:00Z"), [false, null])
        assert.deepStrictEqual(yield* status(id, "9999-12-26T12:00:00Z"), [false, "9999-12-27T08:00:00.000Z"])
      })
    )
  )

  it.effect("use the organization's time zone unless they have one", () =>
    inOrganization(
      Effect.gen(function* () {
        const { id } = yield* createSchedule({ name: "Support", weekly: { mon: [["09:00", "18:00"]] } })
        yield* updateOrganization({ timezone: "Asia/Kathmandu", ifVersion: null })
        assert.deepStrictEqual(yield* status(id, "2026-11-23T00:00:00Z"), [false, "2026-11-23T03:15:00.000Z"])
        yield* updateSchedule({ id, timezone: "America/New_York", ifVersion: null })
        assert.deepStrictEqual(yield* status(id, "2026-11-23T00:00:00Z"), [false, "2026-11-23T14:00:00.000Z"])
        assert.deepStrictEqual(yield* status(id, "2026-11-23T14:00:00Z"), [true, "2026-11-23T23:00:00.000Z"])
      })
    )
  )

  it.effect("publish one event per change, and none for a change without effect", () =>
    inOrganization(
      Effect.gen(function* () {
        const { id } = yield* createSchedule({ name: "Support", weekly: { mon: [["09:00", "18:00"]] } })
        const same = yield* updateSchedule({ id, weekly: { mon: [["09:00", "18:00"]] }, holidays: [], ifVersion: 1 })
        assert.strictEqual(same.version, 1)
        yield* updateSchedule({ id, weekly: {}, ifVersion: 1 })
        const { data } = yield* listEvents({ page: { limit: 100, cursor: null } })
        assert.deepStrictEqual(
          data.map(({ event }) => event.event.type).filter((type) => type.startsWith("schedule.")),
          ["schedule.created", "schedule.updated"]
        )
      })
    )
  )

  it.effect("report errors in hours and holidays", () =>
    Effect.sync(() => {
      const monday = (...spans: ReadonlyArray<ReadonlyArray<string>>) => faultOf({ weekly: { mon: spans } })
      assert.strictEqual(monday(["00:00", "24:00"]), "none")
      assert.strictEqual(monday(["09:00", "12:00"], ["12:00", "13:00"]), "none")
      assert.include(monday(["9:00", "12:00"]), "Expected a clock time such as 09:30, up to 24:00")
      assert.include(monday(["09:00", "24:30"]), "Expected a clock time such as 09:30, up to 24:00")
      assert.include(monday(["09:00"]), "Expected two clock times: from and to")
      assert.include(monday(["22:00", "06:00"]), "hours over midnight are two spans")
      assert.include(monday(["09:00", "09:00"]), "Expected the end after the start")
      assert.include(monday(["09:00", "12:00"], ["11:00", "13:00"]), "that do not overlap")
      assert.include(monday(["13:00", "14:00"], ["09:00", "12:00"]), "in the order of the day")
      const many = Array.from({ length: 7 }, (_, hour) => [`0${hour}:00`, `0${hour}:30`])
      assert.include(monday(...many), "Expected at most 6 spans")
      const holiday = { date: "2026-12-24", name: "Christmas Eve" }
      assert.strictEqual(faultOf({ holidays: [holiday, { ...holiday, yearly: true }] }), "none")
      assert.include(faultOf({ holidays: [holiday, holiday] }), "Expected each holiday once")
      const yearly = { ...holiday, yearly: true }
      assert.include(faultOf({ holidays: [yearly, { ...yearly, date: "2027-12-24" }] }), "Expected each holiday once")
      assert.include(faultOf({ holidays: [{ ...holiday, date: "2026-02-29" }] }), "Expected a calendar day")
      assert.include(faultOf({ holidays: [{ ...holiday, name: "" }] }), "name")
    })
  )
})
