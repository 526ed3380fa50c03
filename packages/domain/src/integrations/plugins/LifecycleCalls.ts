import { Context, type DateTime, type Effect } from "effect"
import type { AutomationTokenId, PluginId, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { LifecycleCallId } from "./Ids.ts"

/** What a plugin is told of its own life. */
export type LifecycleType =
  | "plugin.disabled"
  | "plugin.enabled"
  | "plugin.installed"
  | "plugin.settings_changed"
  | "plugin.token_rotated"
  | "plugin.uninstalled"
  | "plugin.upgraded"

/** A call that waits to be made. Tokens and secrets are not in it: they are put in when it is made. */
export interface LifecycleCall {
  readonly id: LifecycleCallId
  readonly pluginId: PluginId
  readonly type: LifecycleType
  /** The token that it carries. */
  readonly tokenId: AutomationTokenId | null
  /** Whether it carries the secret that signs. */
  readonly hasSecret: boolean
  /** Where it goes and what it is signed with once the plugin is gone, sealed. */
  readonly farewell: string | null
  readonly tries: number
  readonly dueAt: DateTime.Utc
}

/** What plugins are to be told, each in its order. */
export class LifecycleCalls extends Context.Service<
  LifecycleCalls,
  TenantScoped<{
    readonly add: (call: LifecycleCall) => Effect.Effect<void, never, Transaction>
    /** The first one that waits of a plugin. */
    readonly next: (pluginId: PluginId) => Effect.Effect<LifecycleCall | null>
    /** Notes a try that was in vain. */
    readonly retry: (id: LifecycleCallId, tries: number, dueAt: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** It is not to be made any more. */
    readonly drop: (id: LifecycleCallId) => Effect.Effect<void, never, Transaction>
    /** None of a plugin is. */
    readonly dropAll: (pluginId: PluginId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/LifecycleCalls") {}
