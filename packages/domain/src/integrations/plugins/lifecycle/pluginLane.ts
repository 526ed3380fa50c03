import { type DateTime, Effect } from "effect"
import type { PluginId } from "../../../kernel/index.ts"
import { Lanes, type WorkName } from "../../../platform/background/index.ts"

/** What the life of plugins is called among the works: each has a lane, so that it is told everything in its order. */
export const pluginsWork: WorkName = "plugins"

/** Has somebody look after a plugin at this time. */
export const openPluginLane = Effect.fnUntraced(function* (
  key: PluginId,
  priority: "person" | "bulk",
  dueAt: DateTime.Utc
) {
  yield* (yield* Lanes).open({ work: pluginsWork, key, priority, dueAt })
})
