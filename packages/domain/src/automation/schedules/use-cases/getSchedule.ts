import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { ScheduleId } from "../WeeklySchedule.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Reads a schedule. */
export const getSchedule = useCase(
  "schedules.get",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* (id: ScheduleId) {
    return yield* (yield* WeeklySchedules).get(id)
  })
)
