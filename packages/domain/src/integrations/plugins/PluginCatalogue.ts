import { Context, type Effect } from "effect"
import type { Slice } from "../../kernel/index.ts"
import type { PluginManifest } from "./PluginManifest.ts"
import type { PluginUnreadable } from "./errors.ts"

/** A plugin that operators offer to all organizations. */
export interface CatalogueEntry {
  readonly manifest: PluginManifest
  /** Where the manifest was read. */
  readonly url: string
}

/** The plugins that operators offer. It stands above tenants: all of them choose from it. */
export class PluginCatalogue extends Context.Service<
  PluginCatalogue,
  {
    /** By their keys, which are the keys of the rows. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<CatalogueEntry>>
    readonly byKeys: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<CatalogueEntry>>
    /** Offers it in the place of what was offered under its key. */
    readonly put: (entry: CatalogueEntry) => Effect.Effect<void>
    /** Says whether it was there. */
    readonly remove: (key: string) => Effect.Effect<boolean>
  }
>()("@parley/domain/integrations/plugins/PluginCatalogue") {}

/** Reads what plugins say of themselves at addresses outside. */
export class PluginHosts extends Context.Service<
  PluginHosts,
  {
    /** The text at an address of the public Internet, of at most 64 KiB, within ten seconds. No redirect is followed. */
    readonly read: (url: string) => Effect.Effect<string, PluginUnreadable>
  }
>()("@parley/domain/integrations/plugins/PluginHosts") {}
