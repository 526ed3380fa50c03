import { Context, type Effect } from "effect"
import type { TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { AutomationSettings } from "./AutomationSettings.ts"

/** The settings of the organization's automations and workflows. */
export class StoredAutomationSettings extends Context.Service<
  StoredAutomationSettings,
  TenantScoped<{
    /** The initial ones, until others are stored. */
    readonly get: () => Effect.Effect<AutomationSettings>
    /** The position of the log when automations were last let go on: what was logged until then starts nothing. */
    readonly resumedAfter: () => Effect.Effect<number>
    readonly resume: (after: number) => Effect.Effect<void, never, Transaction>
    /** Stores them with their version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      settings: AutomationSettings,
      expected: number | null
    ) => Effect.Effect<AutomationSettings, VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/automations/StoredAutomationSettings") {}
