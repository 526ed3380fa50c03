import { Context, type Effect } from "effect"
import type { Slice } from "../../kernel/index.ts"
import type { PluginManifest } from "./PluginManifest.ts"
import type { PluginUnreadable } from "./errors.ts"

export interface CatalogueEntry {
  readonly manifest: PluginManifest
  /** URL of the manifest. */
  readonly url: string
}

/** Plugins that operators offer to all organizations. Not tenant-scoped. */
export class PluginCatalogue extends Context.Service<
  PluginCatalogue,
  {
    /** Sorted by key. The row key is the plugin key. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<CatalogueEntry>>
    readonly byKeys: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<CatalogueEntry>>
    /** Stores the entry; replaces an entry with the same key. */
    readonly put: (entry: CatalogueEntry) => Effect.Effect<void>
    /** Returns whether the entry existed. */
    readonly remove: (key: string) => Effect.Effect<boolean>
  }
>()("@parley/domain/integrations/plugins/PluginCatalogue") {}

/** Reads manifests from external URLs. */
export class PluginHosts extends Context.Service<
  PluginHosts,
  {
    /** Reads a text of at most 64 KiB from a public URL within ten seconds. Does not follow redirects. */
    readonly read: (url: string) => Effect.Effect<string, PluginUnreadable>
  }
>()("@parley/domain/integrations/plugins/PluginHosts") {}
