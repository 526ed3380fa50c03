import { Effect } from "effect"
import { type AutomationDefinition, type AutomationId, definitionOf } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import type { Trigger } from "../triggers/Trigger.ts"
import type { AutomationRun } from "./AutomationRun.ts"

/** What an automation is to do, in one of its versions. */
export interface Rule extends AutomationDefinition {
  readonly id: AutomationId
  readonly version: number
  readonly when: Trigger
}

/** What the automations of some runs are to do, by `keyOfRule`: read together, and not again for each run. */
export type RuleBook = Map<string, Rule | null>

/** What a rule is known by. */
export const keyOfRule = ({ automationId, automationVersion }: AutomationRun): string =>
  `${automationId} ${automationVersion}`

/** That version of the automation; `null` where it is gone or not enabled any more. */
export const ruleOf = Effect.fnUntraced(function* (id: AutomationId, version: number) {
  const automations = yield* Automations
  const found = yield* Effect.option(automations.get(id))
  if (found._tag === "None" || !found.value.enabled) return null
  const definition =
    found.value.version === version ? definitionOf(found.value) : yield* automations.definition(id, version)
  if (definition === null || definition.when === null) return null
  const rule: Rule = { ...definition, when: definition.when, id, version }
  return rule
})

/** So many are read side by side. */
const readAtOnce = 10

/** What these runs are to do. */
export const rulesOf = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const meant = new Map(runs.map((run) => [keyOfRule(run), run]))
  const read = yield* Effect.forEach(
    meant,
    ([key, { automationId, automationVersion }]) =>
      Effect.map(ruleOf(automationId, automationVersion), (rule) => [key, rule] as const),
    { concurrency: readAtOnce }
  )
  const rules: RuleBook = new Map(read)
  return rules
})
