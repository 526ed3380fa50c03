import { Effect } from "effect"
import { NotFound, useCase } from "../../../kernel/index.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"

/** Offers a plugin no more. Where it is installed it stays. */
export const withdrawPlugin = useCase(
  "plugins.withdraw",
  { access: "operator" },
  Effect.fnUntraced(function* (key: string) {
    if (!(yield* (yield* PluginCatalogue).remove(key))) return yield* new NotFound({ resource: "plugin" })
  })
)
