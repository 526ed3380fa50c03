import { assert } from "@effect/vitest"
import { ScheduleId, transact, type Week, WeeklySchedule, WeeklySchedules } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"

const closed: Week = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

const newSchedule = (overrides: Partial<WeeklySchedule> = {}) =>
  new WeeklySchedule({
    id: freshId(ScheduleId),
    name: "Welcome “new” people \\ 100 % _ 🎉",
    timezone: "Asia/Kathmandu",
    weekly: {
      ...closed,
      mon: [
        ["09:00", "12:00"],
        ["13:00", "24:00"]
      ]
    },
    holidays: [{ date: "2026-12-25", yearly: true, name: "Christmas “Day” \\", spans: [["00:00", "01:30"]] }],
    createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
    updatedAt: DateTime.makeUnsafe("2026-01-02T03:04:05.679Z"),
    version: 1,
    ...overrides
  })

const insert = Effect.fnUntraced(function* (schedule = newSchedule()) {
  yield* transact((yield* WeeklySchedules).insert(schedule))
  return schedule
})

const save = (schedule: WeeklySchedule, expected: number | null) =>
  Effect.flatMap(WeeklySchedules, (schedules) => transact(schedules.save(schedule, expected)))

const remove = (id: ScheduleId, expected: number | null) =>
  Effect.flatMap(WeeklySchedules, (schedules) => transact(schedules.remove(id, expected)))

export const weeklySchedules: StorageContract = {
  port: "WeeklySchedules",
  promises: (it) => {
    it.effect("keeps one tenant's schedules out of another's sight", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const schedule = yield* insert().pipe(inside(one))
        yield* Effect.gen(function* () {
          const { id } = schedule
          assert.strictEqual((yield* Effect.flip(schedules.get(id)))._tag, "NotFound")
          assert.lengthOf(yield* schedules.list({ limit: 100, after: null }), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(schedule, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(id, expected)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        const kept = yield* schedules.get(schedule.id).pipe(inside(one))
        assert.deepStrictEqual(plain.schedule(kept), plain.schedule(schedule))
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        yield* Effect.gen(function* () {
          const [kept, saved] = [yield* insert(), yield* insert()]
          yield* insert().pipe(
            Effect.andThen(save(new WeeklySchedule({ ...saved, name: "Renamed" }), 1)),
            Effect.andThen(remove(kept.id, null)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
          const left = yield* schedules.list({ limit: 100, after: null })
          assert.deepStrictEqual(left.map(plain.schedule), [saved, kept].map(plain.schedule))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores what changed, and raises the version by one", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        yield* Effect.gen(function* () {
          const schedule = yield* insert()
          const changed = new WeeklySchedule({
            ...schedule,
            name: "Farewell",
            timezone: null,
            weekly: closed,
            holidays: [],
            updatedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z")
          })
          const expected = { ...plain.schedule(changed), version: 2 }
          assert.deepStrictEqual(plain.schedule(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plain.schedule(yield* schedules.get(schedule.id)), expected)
          assert.strictEqual((yield* save(changed, null)).version, 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses a version that is not the current one, and an id that is nobody's", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        yield* Effect.gen(function* () {
          const schedule = yield* insert()
          yield* save(schedule, 1)
          for (const expected of [1, 3]) {
            for (const refused of [save(schedule, expected), remove(schedule.id, expected)]) {
              const error = yield* Effect.flip(refused)
              assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
            }
            assert.strictEqual((yield* Effect.flip(save(newSchedule(), expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(freshId(ScheduleId), expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(save(newSchedule(), null)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(freshId(ScheduleId), null)))._tag, "NotFound")
          assert.strictEqual((yield* schedules.get(schedule.id)).version, 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("of many at once that expect the same version, one is stored", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const schedule = yield* insert()
          const exits = yield* Effect.replicateEffect(Effect.exit(save(schedule, 1)), 10, {
            concurrency: "unbounded"
          })
          assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("removes a schedule at the expected version, or whatever it is", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        yield* Effect.gen(function* () {
          const [one, other] = [yield* insert(), yield* insert()]
          yield* remove(one.id, 1)
          yield* remove(other.id, null)
          assert.lengthOf(yield* schedules.list({ limit: 100, after: null }), 0)
          assert.strictEqual((yield* Effect.flip(schedules.get(one.id)))._tag, "NotFound")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists the newest first, page after page, while others come and go", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        yield* Effect.gen(function* () {
          const page = (after: ScheduleId | null) =>
            Effect.map(schedules.list({ limit: 2, after: after === null ? null : [after] }), (page) =>
              page.map(({ id }) => id)
            )
          const [first, second, third, fourth, fifth, sixth] = [
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id
          ]
          assert.deepStrictEqual(yield* page(null), [sixth, fifth])
          yield* insert()
          yield* remove(fifth, null)
          yield* remove(third, null)
          assert.deepStrictEqual(yield* page(fifth), [fourth, second])
          assert.deepStrictEqual(yield* page(second), [first])
          assert.deepStrictEqual(yield* page(first), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** What every `WeeklySchedules` promises. */
export const weeklySchedulesContract = runContract(weeklySchedules)
