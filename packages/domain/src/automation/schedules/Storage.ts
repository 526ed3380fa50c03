import { AwayReplies } from "./away/AwayReplies.ts"
import { WeeklySchedules } from "./WeeklySchedules.ts"

/** The ports that a storage adapter provides of this area. */
export const schedulesStorage = [AwayReplies, WeeklySchedules] as const
