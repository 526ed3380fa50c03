import { Schema } from "effect"
import { describeDependents, Dependent } from "../../kernel/index.ts"

/** Something goes by the schedule, and would come to nothing without it. */
export class ScheduleInUse extends Schema.TaggedError<ScheduleInUse>()("ScheduleInUse", {
  usedBy: Schema.Array(Dependent)
}) {
  override get message() {
    return `The schedule is used by: ${describeDependents(this.usedBy)}. Change them first.`
  }
}
