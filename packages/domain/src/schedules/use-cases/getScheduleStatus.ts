import { DateTime, Effect } from "effect"
import { Organizations } from "../../identity/index.ts"
import { useCase } from "../../kernel/index.ts"
import { statusAt } from "../statusAt.ts"
import type { ScheduleId } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Tells whether a schedule is open now or at another time, and when that changes. */
export const getScheduleStatus = useCase(
  "schedules.status",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* (id: ScheduleId, at: DateTime.Utc | null) {
    const schedule = yield* (yield* WeeklySchedules).get(id)
    const timezone = schedule.timezone ?? (yield* (yield* Organizations).current()).timezone
    return statusAt(schedule, DateTime.zoneMakeNamedUnsafe(timezone), at ?? (yield* DateTime.now))
  })
)
