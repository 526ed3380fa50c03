import { Schema } from "effect"
import { ScheduleId } from "../schedules/index.ts"
import type { Action } from "./actions/Action.ts"
import { hasLiquid } from "./actions/textsOf.ts"
import type { ConditionInput } from "./conditions/ConditionInput.ts"
import { leavesOf } from "./conditions/leavesOf.ts"

const ids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gu

const isScheduleId = Schema.is(ScheduleId)

/** Everything with an id where a text may name a schedule. */
const namedInTexts = (actions: ReadonlyArray<Action>): ReadonlyArray<string> => {
  const said = JSON.stringify(actions)
  return hasLiquid(said) && said.includes("schedule") ? (said.match(ids) ?? []) : []
}

/** The schedules that conditions look at, and those that texts of actions may name: there may be other ids among them. */
export const schedulesNamed = (
  conditions: ReadonlyArray<ConditionInput>,
  actions: ReadonlyArray<Action>
): ReadonlyArray<ScheduleId> => {
  const looked = conditions
    .flatMap((condition) => leavesOf(condition, ""))
    .flatMap(({ said: { field, key } }) => (field === "schedule" && key !== undefined ? [key] : []))
  return [...new Set([...looked, ...namedInTexts(actions)])].filter(isScheduleId)
}
