import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, PluginId, TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { KeptPluginCall, PluginCallId } from "./PluginCall.ts"

/** What plugins are asked to do. */
export class PluginCalls extends Context.Service<
  PluginCalls,
  TenantScoped<{
    readonly find: (id: PluginCallId) => Effect.Effect<KeptPluginCall | null>
    /** To change it: others who do wait until this unit of work ends. */
    readonly lock: (id: PluginCallId) => Effect.Effect<KeptPluginCall, NotFound, Transaction>
    /** One that is there already stays as it is; says whether it was not. */
    readonly add: (call: KeptPluginCall) => Effect.Effect<boolean, never, Transaction>
    readonly save: (call: KeptPluginCall) => Effect.Effect<void, never, Transaction>
    /** Those of a plugin whose time has come, the earliest first. */
    readonly due: (pluginId: PluginId, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<KeptPluginCall>>
    /** When the next one of a plugin is due; `null` when none is. */
    readonly nextDue: (pluginId: PluginId) => Effect.Effect<DateTime.Utc | null>
    /** Forgets what has ended and was asked for before, at most so many; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Blanks what was said to plugins, and by them, about these contacts, and whom it was about. What has not ended has failed: nobody is asked any more. */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/PluginCalls") {}
