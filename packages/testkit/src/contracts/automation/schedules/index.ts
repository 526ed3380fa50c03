import { awayReplies } from "./awayReplies.ts"
import { weeklySchedules } from "./weeklySchedules.ts"

export { awayRepliesContract } from "./awayReplies.ts"
export { weeklySchedulesContract } from "./weeklySchedules.ts"

export const schedulesContracts = [awayReplies, weeklySchedules]
