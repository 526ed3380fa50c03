import { Effect } from "effect"
import { Plugins } from "./Plugins.ts"

/** Every plugin takes room, enabled or not. */
export const pluginUse = {
  limit: "plugins",
  lock: "plugins",
  count: Effect.flatMap(Plugins, (plugins) => plugins.count())
} as const
