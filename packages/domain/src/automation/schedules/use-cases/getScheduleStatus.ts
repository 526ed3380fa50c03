import { DateTime, Effect } from "effect"
import { lastTimestamp, useCase } from "../../../kernel/index.ts"
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
    const status = statusAt(schedule, yield* zoneOf(schedule), at ?? (yield* DateTime.now))
    const { nextChangeAt } = status
    // What comes after all that can be written as a time comes never.
    return nextChangeAt !== null && DateTime.isGreaterThan(nextChangeAt, lastTimestamp)
      ? { ...status, nextChangeAt: null }
      : status
  })
)
