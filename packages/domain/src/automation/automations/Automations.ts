import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { AutomationAction } from "./actions/Action.ts"
import type { Automation, AutomationDefinition, AutomationId } from "./Automation.ts"
import type { NamedInDefinition } from "./namedInDefinition.ts"
import type { Trigger, TriggerEvent } from "./triggers/Trigger.ts"

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
    readonly naming: (field: NamedInDefinition, id: string) => Effect.Effect<ReadonlyArray<AutomationId>>
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
