import { DateTime, Duration, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { type AutomationDefinition, type AutomationId, definitionOf } from "../Automation.ts"
import { heldBecause } from "../AutomationSettings.ts"
import { Automations, schedulesNamed } from "../Automations.ts"
import type { ConditionExplanation, ConditionInput } from "../conditions/ConditionInput.ts"
import { explain } from "../conditions/explainCondition.ts"
import { readCondition } from "../conditions/readCondition.ts"
import type { Facts } from "../facts/Facts.ts"
import { situationOf } from "../facts/eventFacts.ts"
import type { Trigger } from "../triggers/Trigger.ts"
import { type Groups, groupsOf } from "../triggers/factGroups.ts"
import type { AutomationRun } from "./AutomationRun.ts"
import { AutomationRuns } from "./AutomationRuns.ts"

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

/** So many runs of one automation begin for a contact within an hour. */
export const mostInAnHour = 10

/** What is remembered while the runs of a contact are performed one after another. */
export interface ContactTurn {
  readonly contactId: ContactId
  /** How many runs of each automation have begun within the last hour. */
  readonly begun: Map<AutomationId, number>
  /** What was read of events, by their positions, since anything was done. */
  readonly facts: Map<number, Facts | null>
  /** What their automations are to do, as it was when they were taken out of the line. */
  readonly rules: RuleBook
  /** The schedules that they may name. */
  readonly schedules: ReadonlyArray<ScheduleId>
  /** When it was last seen that nothing holds actions. */
  freeAt: DateTime.Utc
}

/** For so long nobody looks again whether anything holds actions: a pause takes hold within a second. */
const freeFor = Duration.millis(250)

const schedulesIn = (rules: RuleBook): ReadonlyArray<ScheduleId> => [
  ...new Set([...rules.values()].flatMap((rule) => (rule === null ? [] : schedulesNamed([rule.if], rule.then))))
]

/** Begins to perform runs of a contact. */
export const beginContact = Effect.fnUntraced(function* (contactId: ContactId, rules: RuleBook, freeAt: DateTime.Utc) {
  const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
  const turn: ContactTurn = {
    contactId,
    begun: new Map(yield* (yield* AutomationRuns).begunSince(contactId, since)),
    facts: new Map(),
    rules,
    schedules: schedulesIn(rules),
    freeAt
  }
  return turn
})

/** Whether anything holds actions now. */
export const isHeldIn = Effect.fnUntraced(function* (turn: ContactTurn) {
  const now = yield* DateTime.now
  if (DateTime.isLessThan(now, DateTime.addDuration(turn.freeAt, freeFor))) return false
  if ((yield* heldBecause) !== null) return true
  turn.freeAt = now
  return false
})

/** Whether one more run of the automation may begin; it is counted then. */
export const admits = ({ begun }: ContactTurn, id: AutomationId): boolean => {
  const count = begun.get(id) ?? 0
  if (count >= mostInAnHour) return false
  begun.set(id, count + 1)
  return true
}

/** What the event of a run is about, as it is today: read once, until something was done. */
export const factsIn = Effect.fnUntraced(function* (
  { contactId, facts, schedules }: ContactTurn,
  { event: { position } }: AutomationRun
) {
  const known = facts.get(position)
  if (known !== undefined) return known
  const read = yield* situationOf(position, contactId, schedules)
  facts.set(position, read)
  return read
})
