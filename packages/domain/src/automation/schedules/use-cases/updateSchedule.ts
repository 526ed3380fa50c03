import { DateTime, Effect, Equal } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { audited, holidaysOf, weekOf } from "../drafts.ts"
import { type ScheduleId, type SchedulePatch, WeeklySchedule } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Changes a schedule. */
export const updateSchedule = useCase(
  "schedules.update",
  { access: { permission: "organization.manage" } },
  Effect.fnUntraced(function* (id: ScheduleId, patch: SchedulePatch, expectedVersion: number | null) {
    const schedules = yield* WeeklySchedules
    yield* (yield* Locks).exclusive("schedules")
    const before = yield* schedules.get(id)
    yield* requireVersion(before, expectedVersion)
    const { name = before.name, timezone = before.timezone } = patch
    const draft = new WeeklySchedule({
      ...before,
      name,
      timezone,
      weekly: patch.weekly === undefined ? before.weekly : weekOf(patch.weekly),
      holidays: patch.holidays === undefined ? before.holidays : holidaysOf(patch.holidays)
    })
    if (Equal.equals(audited(draft), audited(before))) return before
    const after = yield* schedules.save(
      new WeeklySchedule({ ...draft, updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record("schedule.updated", { kind: "schedule", id }, { before: audited(before), after: audited(after) })
    yield* appendEvent({ type: "schedule.updated", scheduleId: id })
    return after
  }, transact)
)
