import { DateTime, Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { statusAt } from "../statusAt.ts"
import type { ScheduleId } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"
import { zoneOf } from "../zoneOf.ts"

/** Tells whether a schedule is open now or at another time, and when that changes. */
export const getScheduleStatus = useCase(
  "schedules.status",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* (id: ScheduleId, at: DateTime.Utc | null) {
    const schedule = yield* (yield* WeeklySchedules).get(id)
    return statusAt(schedule, yield* zoneOf(schedule), at ?? (yield* DateTime.now))
  })
)
