import * as WeeklySchedules from "./WeeklySchedules.ts"

/** The storage of this area. */
export const layer = WeeklySchedules.layer
