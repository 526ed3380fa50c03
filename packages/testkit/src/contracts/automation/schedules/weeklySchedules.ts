import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ScheduleId, type Week, WeeklySchedule, WeeklySchedules } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../../given.ts"
import { promiseVersionedRows } from "../../versionedRows.ts"

const closed: Week = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

const newSchedule = () =>
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
    version: 1
  })

export const weeklySchedules: StorageContract = {
  port: "WeeklySchedules",
  promises: (it) => {
    it.effect("finds the existing schedules among several ids", () =>
      Effect.gen(function* () {
        const schedules = yield* WeeklySchedules
        yield* Effect.gen(function* () {
          const [one, other] = [newSchedule(), newSchedule()]
          for (const each of [one, other]) yield* transact(schedules.insert(each))
          const found = yield* schedules.find([one.id, freshId(ScheduleId)])
          assert.deepStrictEqual(found.map(plain.schedule), [plain.schedule(one)])
          assert.deepStrictEqual(yield* schedules.find([]), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    promiseVersionedRows(it, {
      port: WeeklySchedules,
      kind: ScheduleId,
      make: newSchedule,
      changed: (row) =>
        new WeeklySchedule({
          ...row,
          name: "Farewell",
          timezone: null,
          weekly: closed,
          holidays: [],
          updatedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z")
        }),
      plain: plain.schedule
    })
  }
}

export const weeklySchedulesContract = runContract(weeklySchedules)
