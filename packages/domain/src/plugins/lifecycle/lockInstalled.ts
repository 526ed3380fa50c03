import { Effect } from "effect"
import type { PluginId } from "../../kernel/index.ts"
import { Plugins } from "../Plugins.ts"

/**
 * Locks a plugin; `null` once it is uninstalled. An uninstallation may hold the row when the lock is asked for: a plugin that was found just before can be
 * gone when the lock is there, and that is no fault.
 */
export const lockInstalled = (id: PluginId) =>
  Effect.flatMap(Plugins, (plugins) => plugins.lock(id)).pipe(Effect.catchTag("NotFound", () => Effect.succeed(null)))
