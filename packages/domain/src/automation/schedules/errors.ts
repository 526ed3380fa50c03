import { Schema } from "effect"
import { describeDependents, Dependent } from "../../kernel/index.ts"

/** Another resource uses the schedule and cannot work without it. */
export class ScheduleInUse extends Schema.TaggedError<ScheduleInUse>()("ScheduleInUse", {
  usedBy: Schema.Array(Dependent)
}) {
  override get message() {
    return `The schedule is used by: ${describeDependents(this.usedBy)}. Change them first.`
  }
}
