import { ScheduleId, type Week, WeeklySchedule, WeeklySchedules } from "@parley/domain"
import { DateTime } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, plain } from "../given.ts"
import { promiseVersionedRows } from "../versionedRows.ts"

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
  promises: (it) =>
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

/** What every `WeeklySchedules` promises. */
export const weeklySchedulesContract = runContract(weeklySchedules)
