import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  getScheduleStatus,
  listSchedules,
  updateSchedule
} from "@parley/domain/automation"
import { Effect } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads, type World } from "../../attempting.ts"

const input = { name: "Before", weekly: { mon: [["09:00", "18:00"]] } }

const givenSchedule = (world: World) => asOwner(world, createSchedule(input))

const saved = {
  name: "Before",
  timezone: null,
  weekly: { mon: [["09:00", "18:00"]], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
  holidays: []
}

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "schedules.create": () =>
    Effect.succeed(
      attempt(createSchedule(input), ({ id }) => ({
        action: "schedule.created",
        target: { kind: "schedule", id },
        before: null,
        after: saved,
        event: { type: "schedule.created", scheduleId: id }
      }))
    ),
  "schedules.delete": (world) =>
    Effect.map(givenSchedule(world), ({ id }) =>
      attempt(deleteSchedule({ id, ifVersion: 1 }), () => ({
        action: "schedule.deleted",
        target: { kind: "schedule", id },
        before: saved,
        after: null,
        event: { type: "schedule.deleted", scheduleId: id }
      }))
    ),
  "schedules.get": (world) => Effect.map(givenSchedule(world), ({ id }) => attempt(getSchedule({ id }))),
  "schedules.list": reads(() => listSchedules({ page: firstPage })),
  "schedules.status": (world) => Effect.map(givenSchedule(world), ({ id }) => attempt(getScheduleStatus({ id }))),
  "schedules.update": (world) =>
    Effect.map(givenSchedule(world), ({ id }) =>
      attempt(updateSchedule({ id, name: "After", weekly: { tue: [["00:00", "24:00"]] }, ifVersion: 1 }), () => ({
        action: "schedule.updated",
        target: { kind: "schedule", id },
        before: { name: "Before", weekly: saved.weekly },
        after: { name: "After", weekly: { ...saved.weekly, mon: [], tue: [["00:00", "24:00"]] } },
        event: { type: "schedule.updated", scheduleId: id }
      }))
    )
}
