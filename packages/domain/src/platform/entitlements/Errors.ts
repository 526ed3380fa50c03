import { Schema } from "effect"
import { Limit } from "./Plan.ts"

/** One more would be over the plan's limit. */
export class PlanLimitReached extends Schema.TaggedError<PlanLimitReached>()("PlanLimitReached", {
  limit: Limit,
  current: Schema.Int,
  max: Schema.Int
}) {
  override get message() {
    return `The plan allows ${this.max} ${this.limit}; ${this.current} are in use.`
  }
}
