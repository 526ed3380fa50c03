import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { audited } from "../drafts.ts"
import type { ScheduleId } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Deletes a schedule. */
export const deleteSchedule = useCase(
  "schedules.delete",
  { access: { permission: "organization.manage" } },
  Effect.fnUntraced(function* (id: ScheduleId, expectedVersion: number | null) {
    const schedules = yield* WeeklySchedules
    const before = yield* schedules.get(id)
    yield* schedules.remove(id, expectedVersion)
    yield* record("schedule.deleted", { kind: "schedule", id }, { before: audited(before) })
    yield* appendEvent({ type: "schedule.deleted", scheduleId: id })
  }, transact)
)
