import { Effect } from "effect"
import type { PluginId } from "../../../kernel/index.ts"
import { Plugins } from "../Plugins.ts"

/**
 * Locks a plugin; `null` after its uninstallation. A concurrent uninstallation can delete the row while this call waits for the lock. This is not an
 * error.
 */
export const lockInstalled = (id: PluginId) =>
  Effect.flatMap(Plugins, (plugins) => plugins.lock(id)).pipe(Effect.catchTag("NotFound", () => Effect.succeed(null)))
