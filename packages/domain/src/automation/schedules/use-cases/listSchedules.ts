import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { WeeklySchedules } from "../WeeklySchedules.ts"

/** Reads the schedules, newest first. */
export const listSchedules = useCase(
  "schedules.list",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const schedules = yield* WeeklySchedules
    return yield* paged(
      "schedules",
      page,
      (slice) => schedules.list(slice),
      (schedule) => [schedule.id]
    )
  })
)
