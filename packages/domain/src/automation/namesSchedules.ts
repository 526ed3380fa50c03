import type { AutomationDefinition } from "./Automation.ts"
import { leavesOf } from "./conditions/leavesOf.ts"
import { hasLiquid } from "./actions/textsOf.ts"

const namesInTexts = (then: AutomationDefinition["then"]): boolean => {
  const said = JSON.stringify(then)
  return hasLiquid(said) && said.includes("schedule")
}

/** Whether a definition may name a schedule in its conditions, or in a text. */
export const namesSchedules = ({ if: condition, then }: Pick<AutomationDefinition, "if" | "then">): boolean =>
  leavesOf(condition, "").some(({ said: { field } }) => field === "schedule") || namesInTexts(then)
