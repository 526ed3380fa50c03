import { Context, type DateTime, type Effect } from "effect"
import type {
  AutomationTokenId,
  NotFound,
  PluginId,
  Slice,
  TenantScoped,
  Transaction,
  Dependents,
  VersionConflict
} from "../../kernel/index.ts"
import type { PluginError, PluginSettings, PluginStatus } from "./Plugin.ts"
import type { PluginManifest } from "./PluginManifest.ts"

/** A plugin as it is kept. */
export interface StoredPlugin {
  readonly id: PluginId
  readonly manifest: PluginManifest
  readonly status: PluginStatus
  /** The settings that are no secrets. */
  readonly settings: PluginSettings
  /** The names of those that are, and all of them sealed by the vault for the plugin; `null` where there are none. */
  readonly secretNames: ReadonlyArray<string>
  readonly sealedSettings: string | null
  /** Whether it has answered to its installation. */
  readonly isGreeted: boolean
  readonly lastError: PluginError | null
  /** When it gets another token; `null` where it cannot be told of one. */
  readonly rotatesAt: DateTime.Utc | null
  readonly version: number
}

/** A token of a plugin. The token itself is never stored. */
export interface PluginToken {
  readonly id: AutomationTokenId
  readonly pluginId: PluginId
  readonly expiresAt: DateTime.Utc
}

/** The plugins of the organization, and their tokens. */
export class Plugins extends Context.Service<
  Plugins,
  TenantScoped<{
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<StoredPlugin>>
    readonly count: () => Effect.Effect<number>
    readonly find: (id: PluginId) => Effect.Effect<StoredPlugin | null>
    /** Those of these keys. */
    readonly byKeys: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredPlugin>>
    /** To change it: others who do wait until this unit of work ends. */
    readonly lock: (id: PluginId) => Effect.Effect<StoredPlugin, NotFound, Transaction>
    readonly insert: (plugin: StoredPlugin) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      plugin: StoredPlugin,
      expected: number | null
    ) => Effect.Effect<StoredPlugin, NotFound | VersionConflict, Transaction>
    /** Stores what nobody says of it; its version stays. */
    readonly keep: (plugin: StoredPlugin) => Effect.Effect<void, never, Transaction>
    /** Removes it with its tokens. */
    readonly remove: (
      id: PluginId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    readonly addToken: (token: PluginToken) => Effect.Effect<void, never, Transaction>
    readonly token: (id: AutomationTokenId) => Effect.Effect<PluginToken | null>
    /** Ends all tokens of a plugin at this time, if they do not end before; the one that is named stays. */
    readonly endTokens: (
      id: PluginId,
      at: DateTime.Utc,
      but: AutomationTokenId | null
    ) => Effect.Effect<void, never, Transaction>
    /** Forgets tokens that ended before, at most so many; says how many. */
    readonly sweepTokens: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/integrations/plugins/Plugins") {}

/** What asks a plugin to act, in all areas. */
export class PluginDependents extends Context.Service<PluginDependents, Dependents<PluginId>>()(
  "@parley/domain/integrations/plugins/PluginDependents"
) {}
