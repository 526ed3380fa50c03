import { Effect } from "effect"
import { NotFound, type PluginId, useCase } from "../../../kernel/index.ts"
import { Plugins } from "../Plugins.ts"
import { shownPlugin } from "../shown.ts"

/** Reads a plugin. */
export const getPlugin = useCase(
  "plugins.get",
  { access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* (id: PluginId) {
    const kept = yield* (yield* Plugins).find(id)
    return kept === null ? yield* new NotFound({ resource: "plugin" }) : yield* shownPlugin(kept)
  })
)
