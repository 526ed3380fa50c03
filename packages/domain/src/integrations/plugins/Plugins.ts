import { Context, type DateTime, type Effect } from "effect"
import type {
  AutomationTokenId,
  NotFound,
  PluginId,
  Slice,
  TenantScoped,
  Transaction,
  VersionConflict
} from "../../kernel/index.ts"
import type { PluginError, PluginSettings, PluginStatus } from "./Plugin.ts"
import type { PluginManifest } from "./PluginManifest.ts"

export interface StoredPlugin {
  readonly id: PluginId
  readonly manifest: PluginManifest
  readonly status: PluginStatus
  /** Settings without secrets. */
  readonly settings: PluginSettings
  /** Names of the secret settings, and their values sealed together for the plugin; `null` without secrets. */
  readonly secretNames: ReadonlyArray<string>
  readonly sealedSettings: string | null
  /** Whether the plugin has answered its installation. */
  readonly isGreeted: boolean
  readonly lastError: PluginError | null
  /** Time of its next token; `null` if no lifecycle call can transmit one. */
  readonly rotatesAt: DateTime.Utc | null
  readonly version: number
}

/** Token record of a plugin. The token itself is never stored. */
export interface PluginToken {
  readonly id: AutomationTokenId
  readonly pluginId: PluginId
  readonly expiresAt: DateTime.Utc
}

/** Plugins of the organization, and their tokens. */
export class Plugins extends Context.Service<
  Plugins,
  TenantScoped<{
    /** Newest first. The row key is the id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<StoredPlugin>>
    readonly count: () => Effect.Effect<number>
    readonly find: (id: PluginId) => Effect.Effect<StoredPlugin | null>
    readonly byKeys: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredPlugin>>
    /** Locks the plugin for a change. Other callers of `lock` wait until this unit of work ends. */
    readonly lock: (id: PluginId) => Effect.Effect<StoredPlugin, NotFound, Transaction>
    readonly insert: (plugin: StoredPlugin) => Effect.Effect<void, never, Transaction>
    /** Stores the plugin and increments its version, if the stored version is the expected one; `null` accepts any version. */
    readonly save: (
      plugin: StoredPlugin,
      expected: number | null
    ) => Effect.Effect<StoredPlugin, NotFound | VersionConflict, Transaction>
    /** Stores internal state; the version stays. */
    readonly keep: (plugin: StoredPlugin) => Effect.Effect<void, never, Transaction>
    /** Deletes the plugin with its tokens. */
    readonly remove: (
      id: PluginId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    readonly addToken: (token: PluginToken) => Effect.Effect<void, never, Transaction>
    readonly token: (id: AutomationTokenId) => Effect.Effect<PluginToken | null>
    /** Ends all tokens of a plugin at this time, unless they end earlier. The named token stays. */
    readonly endTokens: (
      id: PluginId,
      at: DateTime.Utc,
      but: AutomationTokenId | null
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes at most `limit` tokens that ended before this time. Returns their number. */
    readonly sweepTokens: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/integrations/plugins/Plugins") {}
