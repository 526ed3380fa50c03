import { Effect } from "effect"
import type { ConditionExplanation } from "../conditions/ConditionExplanation.ts"
import { explain } from "../conditions/explain.ts"
import { readCondition } from "../conditions/readCondition.ts"
import type { Facts } from "../facts/Facts.ts"
import { groupsOf } from "../triggers/groups.ts"
import type { Rule } from "./Rule.ts"

const always: ConditionExplanation = { held: true }

/** What becomes of the conditions of an automation now. */
export const judgement = Effect.fnUntraced(function* (
  { if: condition, when }: Pick<Rule, "if" | "when">,
  facts: Facts
) {
  if (Object.keys(condition).length === 0) return always
  const { condition: asRead } = yield* readCondition(condition, groupsOf(when), "/if")
  return yield* explain(asRead, facts)
})
