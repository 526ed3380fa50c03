import { Effect } from "effect"
import { type FilterContext, loadFilterContext, readFilter } from "../../../crm/index.ts"
import { type ValidationIssue, NotFound, unvalidated, ValidationFailed } from "../../../kernel/index.ts"
import { type Automation, type AutomationDefinition, AutomationView, definitionOf } from "../Automation.ts"
import {
  isKnownResource,
  type KnownResources,
  loadKnownResources,
  type ResourceReference
} from "../conditions/resourceReferences.ts"
import { makeConditionReader, loadConditionContext, readCondition } from "../conditions/readCondition.ts"
import { attributeKeyOf, audienceOf, type Trigger } from "../triggers/Trigger.ts"
import { allFactGroups, factGroupsOf } from "../triggers/factGroups.ts"
import { validateActions } from "./actionChecks.ts"

/** Contact fields that a trigger names by key. */
const referencesInFields = (fields: ReadonlyArray<string> | undefined, pointer: string) =>
  (fields ?? []).flatMap((field, place): ReadonlyArray<ResourceReference> => {
    const key = attributeKeyOf(field)
    return key === null ? [] : [{ kind: "contact field", id: key, pointer: `${pointer}/fields/${place}` }]
  })

/** References of a trigger by id, with their pointers. */
export const referencesInTrigger = (when: Trigger | null, pointer = "/when"): ReadonlyArray<ResourceReference> => {
  const named = (kind: ResourceReference["kind"], field: string, ids: ReadonlyArray<string> | undefined) =>
    (ids ?? []).map((id, place): ResourceReference => ({ kind, id, pointer: `${pointer}/${field}/${place}` }))
  if (when === null) return []
  return [
    ...("chatAccountIds" in when ? named("chat account", "chatAccountIds", when.chatAccountIds) : []),
    ...("assigneeIds" in when ? named("member", "assigneeIds", when.assigneeIds) : []),
    ...("fields" in when ? referencesInFields(when.fields, pointer) : []),
    ...("field" in when ? [{ kind: "date field" as const, id: when.field, pointer: `${pointer}/field` }] : []),
    ...("tagIds" in when ? named("tag", "tagIds", when.tagIds) : []),
    ...("storeConnectionIds" in when ? named("store connection", "storeConnectionIds", when.storeConnectionIds) : []),
    ...("broadcastIds" in when ? named("broadcast", "broadcastIds", when.broadcastIds) : [])
  ]
}

/** Problems of a definition, and its missing references. */
export interface DefinitionIssues {
  readonly faults: ReadonlyArray<ValidationIssue>
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** Groups that are available after a trigger; all groups without a trigger. */
const availableFactGroups = (when: AutomationDefinition["when"]) => (when === null ? allFactGroups : factGroupsOf(when))

const findMissing = (named: ReadonlyArray<ResourceReference>, known: KnownResources): DefinitionIssues["missing"] =>
  named.filter((thing) => !isKnownResource(known, thing)).map(({ kind, pointer }) => ({ resource: kind, pointer }))

/** Finds the missing references of a trigger. */
const missingInTrigger = Effect.fnUntraced(function* (when: AutomationDefinition["when"], pointer = "/when") {
  const named = referencesInTrigger(when, pointer)
  return findMissing(named, yield* loadKnownResources(named))
})

/** Finds the problems of the audience of a trigger. */
const audienceIssues = (when: Trigger | null, context: FilterContext, pointer = "/when"): DefinitionIssues => {
  const [audience = {}] = audienceOf(when)
  return readFilter(audience, `${pointer}/audience`, context)
}

/** Finds all current problems of these definitions. The references of conditions and triggers are loaded once. */
const makeDefinitionValidator = Effect.fnUntraced(function* (definitions: ReadonlyArray<AutomationDefinition>) {
  const surroundings = yield* loadConditionContext(
    definitions.flatMap((definition) => [definition.if, ...audienceOf(definition.when)])
  )
  const known = yield* loadKnownResources(definitions.flatMap(({ when }) => referencesInTrigger(when)))
  return Effect.fnUntraced(function* ({ if: condition, then, when }: AutomationDefinition) {
    const groups = availableFactGroups(when)
    const read = makeConditionReader(surroundings, groups)(condition, "/if")
    const actions = yield* validateActions(then, groups, "/then")
    const audience = audienceIssues(when, surroundings.filters)
    const found: DefinitionIssues = {
      faults: [...audience.faults, ...read.faults, ...actions],
      missing: [...findMissing(referencesInTrigger(when), known), ...audience.missing, ...read.missing]
    }
    return found
  })
})

/** Finds missing parts that an automation needs to run. */
const validateCompleteness = ({ then, when }: AutomationDefinition, at: string): ReadonlyArray<ValidationIssue> => [
  ...(when === null ? [{ pointer: `${at}/when`, message: "Expected the event that starts it" }] : []),
  ...(then.length === 0 ? [{ pointer: `${at}/then`, message: "Expected 1 to 20 actions" }] : [])
]

const toMissingIssues = (missing: DefinitionIssues["missing"]): ReadonlyArray<ValidationIssue> =>
  missing.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))

/** Finds all problems of a definition, with their pointers. `at` is its pointer. */
export const findDefinitionIssues = Effect.fnUntraced(function* (
  { if: condition, then, when }: AutomationDefinition,
  at = ""
) {
  const groups = availableFactGroups(when)
  const actions = yield* validateActions(then, groups, `${at}/then`)
  const read = yield* readCondition(condition, groups, `${at}/if`)
  const audience = audienceIssues(when, yield* loadFilterContext(audienceOf(when)), `${at}/when`)
  const missing = [...(yield* missingInTrigger(when, `${at}/when`)), ...audience.missing, ...read.missing]
  return [...audience.faults, ...read.faults, ...actions, ...toMissingIssues(missing)]
})

/** Rejects a definition with all its problems. An active definition must be complete. `at` is its pointer. */
export const checkDefinition = Effect.fnUntraced(function* (
  definition: AutomationDefinition,
  isToRun: boolean,
  at = ""
) {
  const errors = [
    ...(isToRun ? validateCompleteness(definition, at) : []),
    ...(yield* findDefinitionIssues(definition, at))
  ]
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
})

/** Number of definitions that are validated concurrently. */
const maxConcurrency = 10

const view = unvalidated(AutomationView)

const withIssues = (automation: Automation, { faults, missing }: DefinitionIssues) => {
  const { enabledAfter: _, ...fields } = automation
  return view({ ...fields, faults: [...faults, ...toMissingIssues(missing)] })
}

const makeViewBuilder = Effect.fnUntraced(function* (automations: ReadonlyArray<Automation>) {
  const faultsOf = yield* makeDefinitionValidator(automations.map(definitionOf))
  return (automation: Automation) =>
    Effect.map(faultsOf(definitionOf(automation)), (found) => withIssues(automation, found))
})

/** Adds the missing references to each automation. */
export const toAutomationViews = Effect.fnUntraced(function* (automations: ReadonlyArray<Automation>) {
  return yield* Effect.forEach(automations, yield* makeViewBuilder(automations), { concurrency: maxConcurrency })
})

/** Adds the missing references to an automation. */
export const toAutomationView = Effect.fnUntraced(function* (automation: Automation) {
  return yield* (yield* makeViewBuilder([automation]))(automation)
})
