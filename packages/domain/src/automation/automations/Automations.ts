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
import type { Automation, AutomationDefinition, AutomationId } from "./Automation.ts"
import { type Action, type AutomationAction, hasLiquid } from "./actions/Action.ts"
import { type ConditionInput, findConditionLeaves } from "./conditions/ConditionInput.ts"
import type { Trigger, TriggerEvent } from "./triggers/Trigger.ts"

const ids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gu

const isScheduleId = Schema.is(ScheduleId)

/** Everything with an id where a text may name a schedule. */
const referencesInTexts = (actions: ReadonlyArray<Action>): ReadonlyArray<string> => {
  const said = JSON.stringify(actions)
  return hasLiquid(said) && said.includes("schedule") ? (said.match(ids) ?? []) : []
}

/** The schedules that conditions look at, and those that texts of actions may name: there may be other ids among them. */
export const referencedSchedules = (
  conditions: ReadonlyArray<ConditionInput>,
  actions: ReadonlyArray<Action>
): ReadonlyArray<ScheduleId> => {
  const looked = conditions
    .flatMap((condition) => findConditionLeaves(condition, ""))
    .flatMap(({ said: { field, key } }) => (field === "schedule" && key !== undefined ? [key] : []))
  return [...new Set([...looked, ...referencesInTexts(actions)])].filter(isScheduleId)
}

const fields = ["pluginId", "scheduleId", "webhookSubscriptionId", "workflowId"] as const

/** What other areas ask for before something of theirs goes. */
export type ReferenceField = (typeof fields)[number]

/** How it is kept with an automation that it names something. */
export const toReferenceKey = (field: ReferenceField, id: string): string => `${field} ${id}`

/** What conditions and actions name of areas that ask before something of theirs goes. */
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

/** What a definition names of areas that ask before something of theirs goes. */
export const referencesInDefinition = ({ if: condition, then }: AutomationDefinition): ReadonlyArray<string> =>
  collectReferenceKeys([condition], then)

/** Who owns what an automation names asks under these locks whether anything uses it before it goes. */
const referenceLocks: ReadonlyArray<readonly [beginning: string, lock: LockName]> = [
  ["pluginId ", "plugins"],
  ["scheduleId ", "schedules"],
  ["webhookSubscriptionId ", "webhook_subscriptions"],
  ["workflowId ", "workflows"]
]

/** Keeps what a definition names of other areas from going while it is saved: neither misses the other. */
export const lockReferences = Effect.fnUntraced(function* (definition: AutomationDefinition) {
  const { exclusive } = yield* Locks
  const named = referencesInDefinition(definition)
  for (const [beginning, lock] of referenceLocks) {
    if (named.some((name) => name.startsWith(beginning))) yield* exclusive(lock)
  }
})

/** An automation, as far as it has to be known for a run of it to begin: what it says besides may be large. */
export interface EnabledAutomation extends Pick<Automation, "id" | "position" | "version" | "enabledAfter"> {
  readonly when: Trigger
  /** What it does, by the types of its actions. */
  readonly actions: ReadonlyArray<AutomationAction["type"]>
}

/** The automations of the organization, and what each version of them says. */
export class Automations extends Context.Service<
  Automations,
  TenantScoped<{
    readonly get: (id: AutomationId) => Effect.Effect<Automation, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Automation>>
    readonly count: () => Effect.Effect<number>
    /** The enabled ones on this event, in the order of their places. */
    readonly enabledOn: (event: TriggerEvent) => Effect.Effect<ReadonlyArray<EnabledAutomation>>
    /** What it said in that version, also where a later one says something else; `null` if it is gone. */
    readonly definition: (id: AutomationId, version: number) => Effect.Effect<AutomationDefinition | null>
    /** Those that name this in a condition or an action, in the order of their ids, at most ten. */
    readonly naming: (field: ReferenceField, id: string) => Effect.Effect<ReadonlyArray<AutomationId>>
    readonly insert: (automation: Automation) => Effect.Effect<void, never, Transaction>
    /** Stores it, but not its place, with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      automation: Automation,
      expected: number | null
    ) => Effect.Effect<Automation, NotFound | VersionConflict, Transaction>
    /** Moves what is at a place to another one; those in between make room. No version is raised. */
    readonly move: (from: number, to: number) => Effect.Effect<void, never, Transaction>
    /** Removes it with its versions. */
    readonly remove: (
      id: AutomationId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/automations/Automations") {}
