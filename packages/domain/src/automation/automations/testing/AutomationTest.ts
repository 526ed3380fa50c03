import { Schema } from "effect"
import { TriedAction } from "../actions/ActionResult.ts"
import { AutomationDefinition } from "../Automation.ts"
import { ConditionExplanation } from "../conditions/ConditionExplanation.ts"
import { CutReason } from "../runs/AutomationRun.ts"

const { if: condition, then, when } = AutomationDefinition.fields

/** What an automation is tried on. */
export const AutomationTest = Schema.Struct({
  position: Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { message: "Expected a position of the feed" })
  ).annotateKey({
    description: "Of an event in the feed, however old; where it has a clock, of one that it counts from."
  }),
  draft: Schema.optionalKey(
    Schema.Struct({
      when: Schema.optionalKey(when),
      if: Schema.optionalKey(condition),
      then: Schema.optionalKey(then)
    })
  ).annotateKey({ description: "What to try instead of what is saved; an absent field is as it is saved." })
}).annotate({ identifier: "AutomationTest" })
export type AutomationTest = typeof AutomationTest.Type

/** What an automation would do about an event now. */
export const AutomationTestResult = Schema.Struct({
  wouldRun: Schema.Boolean.annotateKey({
    description:
      "Whether its actions would be performed: it is for the event, its conditions hold and nothing cuts it. For blocked contacts, imports and changes of many at once nothing is."
  }),
  cut: Schema.NullOr(CutReason).annotateKey({ description: "Why it would be cut; `null` if it would not be." }),
  conditions: Schema.NullOr(ConditionExplanation).annotateKey({
    description: "Every condition with what it sees and whether it holds; `null` where the contact is gone."
  }),
  actions: Schema.Array(TriedAction).annotateKey({
    description:
      "What each would do after those before it, also where the automation would not run; none where the contact is gone."
  })
}).annotate({ identifier: "AutomationTestResult" })
export type AutomationTestResult = typeof AutomationTestResult.Type
