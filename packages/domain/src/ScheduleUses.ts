import { ofAllAreas } from "./areas.ts"
import { layerUsesOf } from "./kernel/index.ts"
import { ScheduleUses } from "./automation/schedules/index.ts"

/** What names schedules, in all areas. */
export const layerScheduleUses = layerUsesOf(ScheduleUses, ofAllAreas("scheduleUses"))
