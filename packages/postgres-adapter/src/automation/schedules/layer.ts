import { Layer } from "effect"
import * as AwayReplies from "./AwayReplies.ts"
import * as WeeklySchedules from "./WeeklySchedules.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(AwayReplies.layer, WeeklySchedules.layer)
