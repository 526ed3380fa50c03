import { Context, type Effect } from "effect"
import type { TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { BroadcastSettings } from "./BroadcastSettings.ts"

/** The settings of the organization's broadcasts. */
export class StoredBroadcastSettings extends Context.Service<
  StoredBroadcastSettings,
  TenantScoped<{
    /** The initial ones, until others are stored. */
    readonly get: () => Effect.Effect<BroadcastSettings>
    /** Stores them with their version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      settings: BroadcastSettings,
      expected: number | null
    ) => Effect.Effect<BroadcastSettings, VersionConflict, Transaction>
  }>
>()("@parley/domain/campaigns/StoredBroadcastSettings") {}
