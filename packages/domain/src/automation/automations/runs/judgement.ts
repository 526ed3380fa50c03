import { Effect } from "effect"
import type { ConditionExplanation } from "../conditions/ConditionExplanation.ts"
import type { ConditionInput } from "../conditions/ConditionInput.ts"
import { explain } from "../conditions/explain.ts"
import { readCondition } from "../conditions/readCondition.ts"
import type { Facts } from "../facts/Facts.ts"
import { type Groups, groupsOf } from "../triggers/groups.ts"
import type { Rule } from "./Rule.ts"

const always: ConditionExplanation = { held: true }

/** What becomes of a condition now, which may look at these groups. */
export const judge = Effect.fnUntraced(function* (condition: ConditionInput, groups: Groups, facts: Facts) {
  if (Object.keys(condition).length === 0) return always
  const { condition: asRead } = yield* readCondition(condition, groups, "/if")
  return yield* explain(asRead, facts)
})

/** What becomes of the conditions of an automation now. */
export const judgement = ({ if: condition, when }: Pick<Rule, "if" | "when">, facts: Facts) =>
  judge(condition, groupsOf(when), facts)
