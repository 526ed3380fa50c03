import { Layer } from "effect"
import * as AwayReplies from "./AwayReplies.ts"
import * as WeeklySchedules from "./WeeklySchedules.ts"

export const layer = Layer.mergeAll(AwayReplies.layer, WeeklySchedules.layer)
