import { Effect } from "effect"
import { type Fault, NotFound, unchecked, ValidationFailed } from "../../../kernel/index.ts"
import { type Automation, type AutomationDefinition, AutomationView, definitionOf } from "../Automation.ts"
import { isThere, type KnownThings, knownThings, type NamedThing } from "../conditions/namedResources.ts"
import { conditionReader, conditionSurroundings, readCondition } from "../conditions/readCondition.ts"
import type { Trigger } from "../triggers/Trigger.ts"
import { everyGroup, groupsOf } from "../triggers/factGroups.ts"
import { checkActions, faultsOfAction } from "./actionChecks.ts"

/** What a trigger names by ids, and where. */
export const namedInTrigger = (when: Trigger | null, pointer = "/when"): ReadonlyArray<NamedThing> => {
  const named = (kind: NamedThing["kind"], field: string, ids: ReadonlyArray<string> | undefined) =>
    (ids ?? []).map((id, place): NamedThing => ({ kind, id, pointer: `${pointer}/${field}/${place}` }))
  if (when === null) return []
  return [
    ...("chatAccountIds" in when ? named("chat account", "chatAccountIds", when.chatAccountIds) : []),
    ...("tagIds" in when ? named("tag", "tagIds", when.tagIds) : []),
    ...("storeConnectionIds" in when ? named("store connection", "storeConnectionIds", when.storeConnectionIds) : []),
    ...("broadcastIds" in when ? named("broadcast", "broadcastIds", when.broadcastIds) : [])
  ]
}

/** What is wrong with a definition, and what it names that is not there. */
export interface DefinitionFaults {
  readonly faults: ReadonlyArray<Fault>
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** What may be named after a trigger; anything, until it is said. */
const groupsAfter = (when: AutomationDefinition["when"]) => (when === null ? everyGroup : groupsOf(when))

const absentIn = (named: ReadonlyArray<NamedThing>, known: KnownThings): DefinitionFaults["missing"] =>
  named.filter((thing) => !isThere(known, thing)).map(({ kind, pointer }) => ({ resource: kind, pointer }))

/** What of a trigger is not there. */
const missingInTrigger = Effect.fnUntraced(function* (when: AutomationDefinition["when"], pointer = "/when") {
  const named = namedInTrigger(when, pointer)
  return absentIn(named, yield* knownThings(named))
})

/** Finds everything that is wrong with each of these definitions as things are today. What they name in conditions and triggers is looked for once. */
const faultFinder = Effect.fnUntraced(function* (definitions: ReadonlyArray<AutomationDefinition>) {
  const surroundings = yield* conditionSurroundings(definitions.map((definition) => definition.if))
  const known = yield* knownThings(definitions.flatMap(({ when }) => namedInTrigger(when)))
  return Effect.fnUntraced(function* ({ if: condition, then, when }: AutomationDefinition) {
    const groups = groupsAfter(when)
    const read = conditionReader(surroundings, groups)(condition, "/if")
    const actions = yield* Effect.forEach(then, (action, index) => faultsOfAction(action, groups, `/then/${index}`))
    const found: DefinitionFaults = {
      faults: [...read.faults, ...actions.flat()],
      missing: [...absentIn(namedInTrigger(when), known), ...read.missing]
    }
    return found
  })
})

/** What an automation lacks to run. */
const incomplete = ({ then, when }: AutomationDefinition, at: string): ReadonlyArray<Fault> => [
  ...(when === null ? [{ pointer: `${at}/when`, message: "Expected the event on which it runs" }] : []),
  ...(then.length === 0 ? [{ pointer: `${at}/then`, message: "Expected 1 to 20 actions" }] : [])
]

/** Rejects a definition with all its problems. An active definition must be complete. `at` is its pointer. */
export const checkDefinition = Effect.fnUntraced(function* (
  definition: AutomationDefinition,
  isToRun: boolean,
  at = ""
) {
  const { if: condition, then, when } = definition
  const groups = groupsAfter(when)
  const actions = yield* checkActions(then, groups, `${at}/then`)
  const read = yield* readCondition(condition, groups, `${at}/if`)
  const missing = [...(yield* missingInTrigger(when, `${at}/when`)), ...read.missing]
  const errors = [...(isToRun ? incomplete(definition, at) : []), ...read.faults, ...actions]
  if (errors.length > 0) {
    const gone = missing.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))
    return yield* new ValidationFailed({ errors: [...errors, ...gone] })
  }
  const [first] = missing
  if (first !== undefined) return yield* new NotFound(first)
})

/** What is wrong with so many is found side by side. */
const atOnce = 10

const view = unchecked(AutomationView)

const shown = (automation: Automation, { faults, missing }: DefinitionFaults) => {
  const { enabledAfter: _, ...told } = automation
  const gone = missing.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))
  return view({ ...told, faults: [...faults, ...gone] })
}

const viewsOf = Effect.fnUntraced(function* (automations: ReadonlyArray<Automation>) {
  const faultsOf = yield* faultFinder(automations.map(definitionOf))
  return (automation: Automation) => Effect.map(faultsOf(definitionOf(automation)), (found) => shown(automation, found))
})

/** Automations as they are shown, with what they name that is gone. */
export const shownAutomations = Effect.fnUntraced(function* (automations: ReadonlyArray<Automation>) {
  return yield* Effect.forEach(automations, yield* viewsOf(automations), { concurrency: atOnce })
})

/** An automation as it is shown, with what it names that is gone. */
export const shownAutomation = Effect.fnUntraced(function* (automation: Automation) {
  return yield* (yield* viewsOf([automation]))(automation)
})
