import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { audited } from "../drafts.ts"
import { ScheduleInUse } from "../Errors.ts"
import { ScheduleUses } from "../ScheduleUses.ts"
import type { ScheduleId } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Deletes a schedule that nothing goes by. */
export const deleteSchedule = useCase(
  "schedules.delete",
  { access: { permission: "organization.manage" } },
  Effect.fnUntraced(function* (id: ScheduleId, expectedVersion: number | null) {
    const schedules = yield* WeeklySchedules
    yield* (yield* Locks).exclusive("schedules")
    const before = yield* schedules.get(id)
    const usedBy = yield* (yield* ScheduleUses).of(id)
    if (usedBy.length > 0) return yield* new ScheduleInUse({ usedBy })
    yield* schedules.remove(id, expectedVersion)
    yield* record("schedule.deleted", { kind: "schedule", id }, { before: audited(before) })
    yield* appendEvent({ type: "schedule.deleted", scheduleId: id })
  }, transact)
)
