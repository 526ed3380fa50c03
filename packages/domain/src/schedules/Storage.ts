import { WeeklySchedules } from "./WeeklySchedules.ts"

/** The ports that a storage adapter provides of this area. */
export const schedulesStorage = [WeeklySchedules] as const
