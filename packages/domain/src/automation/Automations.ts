import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { Automation, AutomationId } from "./Automation.ts"

/** The automations of the organization. */
export class Automations extends Context.Service<
  Automations,
  TenantScoped<{
    readonly get: (id: AutomationId) => Effect.Effect<Automation, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Automation>>
    readonly insert: (automation: Automation) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      automation: Automation,
      expected: number | null
    ) => Effect.Effect<Automation, NotFound | VersionConflict, Transaction>
    readonly remove: (
      id: AutomationId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/Automations") {}
