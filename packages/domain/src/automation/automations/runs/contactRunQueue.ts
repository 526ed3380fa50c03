import { DateTime, Duration, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { type AutomationDefinition, type AutomationId, definitionOf } from "../Automation.ts"
import { holdReason } from "../AutomationSettings.ts"
import { Automations, referencedSchedules } from "../Automations.ts"
import type { ConditionExplanation, ConditionInput } from "../conditions/ConditionInput.ts"
import { explainCondition } from "../conditions/explainCondition.ts"
import { readCondition } from "../conditions/readCondition.ts"
import type { Facts } from "../facts/Facts.ts"
import { buildEventContext } from "../facts/eventFacts.ts"
import type { Trigger } from "../triggers/Trigger.ts"
import { type FactGroups, factGroupsOf } from "../triggers/factGroups.ts"
import type { AutomationRun } from "./AutomationRun.ts"
import { AutomationRuns } from "./AutomationRuns.ts"

/** What an automation is to do, in one of its versions. */
export interface AutomationRule extends AutomationDefinition {
  readonly id: AutomationId
  readonly version: number
  readonly when: Trigger
}

/** What the automations of some runs are to do, by `keyOfRule`: read together, and not again for each run. */
export type AutomationRules = Map<string, AutomationRule | null>

/** What a rule is known by. */
export const keyOfRule = ({ automationId, automationVersion }: AutomationRun): string =>
  `${automationId} ${automationVersion}`

/** That version of the automation; `null` where it is gone or not enabled any more. */
export const loadRule = Effect.fnUntraced(function* (id: AutomationId, version: number) {
  const automations = yield* Automations
  const found = yield* Effect.option(automations.get(id))
  if (found._tag === "None" || !found.value.enabled) return null
  const definition =
    found.value.version === version ? definitionOf(found.value) : yield* automations.definition(id, version)
  if (definition === null || definition.when === null) return null
  const rule: AutomationRule = { ...definition, when: definition.when, id, version }
  return rule
})

/** So many are read side by side. */
const readConcurrency = 10

/** What these runs are to do. */
export const loadRules = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const meant = new Map(runs.map((run) => [keyOfRule(run), run]))
  const read = yield* Effect.forEach(
    meant,
    ([key, { automationId, automationVersion }]) =>
      Effect.map(loadRule(automationId, automationVersion), (rule) => [key, rule] as const),
    { concurrency: readConcurrency }
  )
  const rules: AutomationRules = new Map(read)
  return rules
})

const alwaysHeld: ConditionExplanation = { held: true }

/** What becomes of a condition now, which may look at these groups. */
export const evaluateCondition = Effect.fnUntraced(function* (
  condition: ConditionInput,
  groups: FactGroups,
  facts: Facts
) {
  if (Object.keys(condition).length === 0) return alwaysHeld
  const { condition: asRead } = yield* readCondition(condition, groups, "/if")
  return yield* explainCondition(asRead, facts)
})

/** What becomes of the conditions of an automation now. */
export const evaluateConditions = ({ if: condition, when }: Pick<AutomationRule, "if" | "when">, facts: Facts) =>
  evaluateCondition(condition, factGroupsOf(when), facts)

/** So many runs of one automation begin for a contact within an hour. */
export const maxRunsPerHour = 10

/** What is remembered while the runs of a contact are performed one after another. */
export interface ContactRunQueue {
  readonly contactId: ContactId
  /** How many runs of each automation have begun within the last hour. */
  readonly begun: Map<AutomationId, number>
  /** What was read of events, by their positions, since anything was done. */
  readonly facts: Map<number, Facts | null>
  /** What their automations are to do, as it was when they were taken out of the line. */
  readonly rules: AutomationRules
  /** The schedules that they may name. */
  readonly schedules: ReadonlyArray<ScheduleId>
  /** When it was last seen that nothing holds actions. */
  freeAt: DateTime.Utc
}

/** For so long nobody looks again whether anything holds actions: a pause takes hold within a second. */
const holdCheckInterval = Duration.millis(250)

const schedulesInRules = (rules: AutomationRules): ReadonlyArray<ScheduleId> => [
  ...new Set([...rules.values()].flatMap((rule) => (rule === null ? [] : referencedSchedules([rule.if], rule.then))))
]

/** Begins to perform runs of a contact. */
export const startContactRunQueue = Effect.fnUntraced(function* (
  contactId: ContactId,
  rules: AutomationRules,
  freeAt: DateTime.Utc
) {
  const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
  const turn: ContactRunQueue = {
    contactId,
    begun: new Map(yield* (yield* AutomationRuns).begunSince(contactId, since)),
    facts: new Map(),
    rules,
    schedules: schedulesInRules(rules),
    freeAt
  }
  return turn
})

/** Whether anything holds actions now. */
export const isQueueHeld = Effect.fnUntraced(function* (turn: ContactRunQueue) {
  const now = yield* DateTime.now
  if (DateTime.isLessThan(now, DateTime.addDuration(turn.freeAt, holdCheckInterval))) return false
  if ((yield* holdReason) !== null) return true
  turn.freeAt = now
  return false
})

/** Whether one more run of the automation may begin; it is counted then. */
export const reserveRunStart = ({ begun }: ContactRunQueue, id: AutomationId): boolean => {
  const count = begun.get(id) ?? 0
  if (count >= maxRunsPerHour) return false
  begun.set(id, count + 1)
  return true
}

/** What the event of a run is about, as it is today: read once, until something was done. */
export const loadQueueFacts = Effect.fnUntraced(function* (
  { contactId, facts, schedules }: ContactRunQueue,
  { event: { position } }: AutomationRun
) {
  const known = facts.get(position)
  if (known !== undefined) return known
  const read = yield* buildEventContext(position, contactId, schedules)
  facts.set(position, read)
  return read
})
