import { Context, type Effect } from "effect"
import type { PluginUnreadable } from "./Errors.ts"

/** Reads what plugins say of themselves at addresses outside. */
export class PluginHosts extends Context.Service<
  PluginHosts,
  {
    /** The text at an address of the public Internet, of at most 64 KiB, within ten seconds. No redirect is followed. */
    readonly read: (url: string) => Effect.Effect<string, PluginUnreadable>
  }
>()("@parley/domain/integrations/plugins/PluginHosts") {}
