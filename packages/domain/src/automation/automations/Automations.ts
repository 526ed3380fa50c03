import { Context, Effect, Schema } from "effect"
import {
  type LockName,
  Locks,
  type NotFound,
  type Slice,
  type TenantScoped,
  type Transaction,
  type VersionConflict
} from "../../kernel/index.ts"
import { ScheduleId } from "../schedules/index.ts"
import type { Automation, AutomationDefinition } from "./Automation.ts"
import type { AutomationId } from "./AutomationId.ts"
import { type Action, type AutomationAction, hasLiquid } from "./actions/Action.ts"
import type { AutomationQuery } from "./automationListing.ts"
import { type ConditionInput, findConditionLeaves } from "./conditions/ConditionInput.ts"
import type { Trigger, TriggerEvent } from "./triggers/Trigger.ts"

const ids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gu

const isScheduleId = Schema.is(ScheduleId)

/** All values with an id in texts that can name a schedule. */
const referencesInTexts = (actions: ReadonlyArray<Action>): ReadonlyArray<string> => {
  const encoded = JSON.stringify(actions)
  return hasLiquid(encoded) && encoded.includes("schedule") ? (encoded.match(ids) ?? []) : []
}

/** Schedules of conditions, and ids in action texts. The ids can belong to other resources. */
export const referencedSchedules = (
  conditions: ReadonlyArray<ConditionInput>,
  actions: ReadonlyArray<Action>
): ReadonlyArray<ScheduleId> => {
  const looked = conditions
    .flatMap((condition) => findConditionLeaves(condition, ""))
    .flatMap(({ input: { field, key } }) => (field === "schedule" && key !== undefined ? [key] : []))
  return [...new Set([...looked, ...referencesInTexts(actions)])].filter(isScheduleId)
}

const fields = ["pluginId", "scheduleId", "webhookSubscriptionId", "workflowId"] as const

/** Reference fields of areas that check their dependents before a deletion. */
export type ReferenceField = (typeof fields)[number]

/** Builds the stored key of a reference from an automation. */
export const toReferenceKey = (field: ReferenceField, id: string): string => `${field} ${id}`

/** Collects the references of conditions and actions to areas that check their dependents before a deletion. */
export const collectReferenceKeys = (
  conditions: ReadonlyArray<ConditionInput>,
  actions: ReadonlyArray<Action>
): ReadonlyArray<string> => [
  ...new Set([
    ...referencedSchedules(conditions, actions).map((id) => toReferenceKey("scheduleId", id)),
    ...actions.flatMap((action) =>
      fields.flatMap((field) => {
        const id: unknown = Reflect.get(action, field)
        return typeof id === "string" ? [toReferenceKey(field, id)] : []
      })
    )
  ])
]

/** Collects the references of a definition to areas that check their dependents before a deletion. */
export const referencesInDefinition = ({ if: condition, then }: AutomationDefinition): ReadonlyArray<string> =>
  collectReferenceKeys([condition], then)

/** The owning area takes this lock and checks for dependents before it deletes a resource. */
const referenceLocks: ReadonlyArray<readonly [beginning: string, lock: LockName]> = [
  ["pluginId ", "plugins"],
  ["scheduleId ", "schedules"],
  ["webhookSubscriptionId ", "webhook_subscriptions"],
  ["workflowId ", "workflows"]
]

/**
 * Locks the referenced areas while a definition is saved. A concurrent deletion then sees the new reference, or the
 * save sees the deletion.
 */
export const lockReferences = Effect.fnUntraced(function* (definition: AutomationDefinition) {
  const { exclusive } = yield* Locks
  const named = referencesInDefinition(definition)
  for (const [beginning, lock] of referenceLocks) {
    if (named.some((name) => name.startsWith(beginning))) yield* exclusive(lock)
  }
})

/** Fields of an automation that are needed to start a run. The full definition can be large. */
export interface EnabledAutomation extends Pick<Automation, "id" | "position" | "version" | "enabledAfter"> {
  readonly when: Trigger
  readonly actions: ReadonlyArray<AutomationAction["type"]>
}

/** Automations of the organization, with the definition of each version. */
export class Automations extends Context.Service<
  Automations,
  TenantScoped<{
    readonly get: (id: AutomationId) => Effect.Effect<Automation, NotFound>
    /** In the requested order. The row key is `automationCursorKey`. */
    readonly list: (query: AutomationQuery, slice: Slice) => Effect.Effect<ReadonlyArray<Automation>>
    readonly count: () => Effect.Effect<number>
    /** Enabled automations with this trigger event, by position. */
    readonly enabledOn: (event: TriggerEvent) => Effect.Effect<ReadonlyArray<EnabledAutomation>>
    /** Definition of any version, including earlier ones; `null` if it does not exist. */
    readonly definition: (id: AutomationId, version: number) => Effect.Effect<AutomationDefinition | null>
    /** Automations that name the resource in a condition or an action, by id, at most ten. */
    readonly naming: (field: ReferenceField, id: string) => Effect.Effect<ReadonlyArray<AutomationId>>
    readonly insert: (automation: Automation) => Effect.Effect<void, never, Transaction>
    /**
     * Stores it without its position, with `version + 1`, if the stored version equals the expected one (`null`: any
     * version).
     */
    readonly save: (
      automation: Automation,
      expected: number | null
    ) => Effect.Effect<Automation, NotFound | VersionConflict, Transaction>
    /** Moves the automation at one position to another, and shifts the automations in between. Raises no version. */
    readonly move: (from: number, to: number) => Effect.Effect<void, never, Transaction>
    /** Deletes it with its versions. */
    readonly remove: (
      id: AutomationId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/automations/Automations") {}
