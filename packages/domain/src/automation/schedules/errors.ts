import { Schema } from "effect"
import { namesOf, UsedBy } from "../../kernel/index.ts"

/** Something goes by the schedule, and would come to nothing without it. */
export class ScheduleInUse extends Schema.TaggedError<ScheduleInUse>()("ScheduleInUse", {
  usedBy: Schema.Array(UsedBy)
}) {
  override get message() {
    return `The schedule is used by: ${namesOf(this.usedBy)}. Change them first.`
  }
}
