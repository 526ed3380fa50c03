import type { DateTime } from "effect"
import { Effect } from "effect"
import type { PluginId } from "../../../kernel/index.ts"
import { Lanes, type WorkName } from "../../../platform/background/index.ts"

/** What actions of plugins are called among the works: each plugin has a lane. */
export const pluginCallsWork: WorkName = "plugin calls"

/** Has somebody look after the calls of a plugin at this time. */
export const openCallLane = Effect.fnUntraced(function* (key: PluginId, dueAt: DateTime.Utc) {
  yield* (yield* Lanes).open({ work: pluginCallsWork, key, priority: "bulk", dueAt })
})
