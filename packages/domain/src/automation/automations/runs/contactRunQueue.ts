import { DateTime, Duration, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { type AutomationDefinition, definitionOf } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
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

/** Definition of an automation in one version. */
export interface AutomationRule extends AutomationDefinition {
  readonly id: AutomationId
  readonly version: number
  readonly when: Trigger
}

/** Definitions for several runs, by `keyOfRule`. They are loaded together, once. */
export type AutomationRules = Map<string, AutomationRule | null>

export const keyOfRule = ({ automationId, automationVersion }: AutomationRun): string =>
  `${automationId} ${automationVersion}`

/** Loads this version of the automation; `null` if the automation is deleted or disabled. */
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

const readConcurrency = 10

/** Loads the definitions of these runs. */
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

/** Evaluates a condition with these groups. */
export const evaluateCondition = Effect.fnUntraced(function* (
  condition: ConditionInput,
  groups: FactGroups,
  facts: Facts
) {
  if (Object.keys(condition).length === 0) return alwaysHeld
  const { condition: asRead } = yield* readCondition(condition, groups, "/if")
  return yield* explainCondition(asRead, facts)
})

/** Evaluates the conditions of an automation. */
export const evaluateConditions = ({ if: condition, when }: Pick<AutomationRule, "if" | "when">, facts: Facts) =>
  evaluateCondition(condition, factGroupsOf(when), facts)

/** Maximum number of runs of one automation per contact and hour. */
export const maxRunsPerHour = 10

/** State while the runs of one contact are performed in order. */
export interface ContactRunQueue {
  readonly contactId: ContactId
  /** Number of runs per automation that started in the last hour. */
  readonly begun: Map<AutomationId, number>
  /** Facts by event position, cached until an action is performed. */
  readonly facts: Map<number, Facts | null>
  /** Definitions of the automations, loaded together with the runs. */
  readonly rules: AutomationRules
  readonly schedules: ReadonlyArray<ScheduleId>
  /** Last time when no hold was found. */
  freeAt: DateTime.Utc
}

/** Interval between hold checks. A pause takes effect within one second. */
const holdCheckInterval = Duration.millis(250)

const schedulesInRules = (rules: AutomationRules): ReadonlyArray<ScheduleId> => [
  ...new Set([...rules.values()].flatMap((rule) => (rule === null ? [] : referencedSchedules([rule.if], rule.then))))
]

/** Starts the queue of a contact. */
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

/** Whether a hold prevents actions. */
export const isQueueHeld = Effect.fnUntraced(function* (turn: ContactRunQueue) {
  const now = yield* DateTime.now
  if (DateTime.isLessThan(now, DateTime.addDuration(turn.freeAt, holdCheckInterval))) return false
  if ((yield* holdReason) !== null) return true
  turn.freeAt = now
  return false
})

/** Counts a new run of the automation, unless the hourly limit is reached; returns whether it was counted. */
export const reserveRunStart = ({ begun }: ContactRunQueue, id: AutomationId): boolean => {
  const count = begun.get(id) ?? 0
  if (count >= maxRunsPerHour) return false
  begun.set(id, count + 1)
  return true
}

/** Loads the current facts for the event of a run. They are cached until an action is performed. */
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
