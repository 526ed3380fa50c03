import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { audited, holidaysOf, weekOf } from "../drafts.ts"
import { type NewSchedule, ScheduleId, WeeklySchedule } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Saves a new schedule. */
export const createSchedule = useCase(
  "schedules.create",
  { access: { permission: "organization.manage" } },
  Effect.fnUntraced(function* ({ holidays = [], name, timezone = null, weekly }: NewSchedule) {
    const now = yield* DateTime.now
    const schedule = new WeeklySchedule({
      id: yield* nextId(ScheduleId),
      name,
      timezone,
      weekly: weekOf(weekly),
      holidays: holidaysOf(holidays),
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* (yield* WeeklySchedules).insert(schedule)
    yield* record("schedule.created", { kind: "schedule", id: schedule.id }, { after: audited(schedule) })
    yield* appendEvent({ type: "schedule.created", scheduleId: schedule.id })
    return schedule
  }, transact)
)
