import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { type CatalogueEntry, PluginCatalogue } from "../PluginCatalogue.ts"

const pageSize = 100

/** Reads what is offered to all organizations, and where it was read. */
export const listOfferedPlugins = useCase(
  "plugins.listOffered",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const catalogue = yield* PluginCatalogue
    const all: Array<CatalogueEntry> = []
    for (;;) {
      const last = all.at(-1)
      const page = yield* catalogue.list({ limit: pageSize, after: last === undefined ? null : [last.manifest.key] })
      all.push(...page)
      if (page.length < pageSize) return all
    }
  })
)
