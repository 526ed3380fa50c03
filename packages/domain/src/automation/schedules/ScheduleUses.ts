import { Context } from "effect"
import type { Uses } from "../../kernel/index.ts"
import type { ScheduleId } from "./WeeklySchedule.ts"

/** What names a schedule, in all areas. */
export class ScheduleUses extends Context.Service<ScheduleUses, Uses<ScheduleId>>()(
  "@parley/domain/automation/schedules/ScheduleUses"
) {}
