import { DateTime, Effect } from "effect"
import { Organizations } from "../../platform/identity/index.ts"
import type { WeeklySchedule } from "./WeeklySchedule.ts"

/** The zone whose clocks a schedule goes by: its own, or that of the organization. */
export const zoneOf = Effect.fnUntraced(function* ({ timezone }: Pick<WeeklySchedule, "timezone">) {
  return DateTime.zoneMakeNamedUnsafe(timezone ?? (yield* (yield* Organizations).current()).timezone)
})
