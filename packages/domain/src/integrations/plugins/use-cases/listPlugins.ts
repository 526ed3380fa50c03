import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { CataloguedPlugin, type Plugin } from "../Plugin.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"
import { Plugins } from "../Plugins.ts"
import { shownPlugins } from "../shown.ts"

const installed = Effect.fnUntraced(function* (page: PageRequest) {
  const plugins = yield* Plugins
  const { data, nextCursor } = yield* paged("plugins", page, plugins.list, ({ id }) => [id])
  return { data: yield* shownPlugins(data), nextCursor }
})

const offered = Effect.fnUntraced(function* (page: PageRequest) {
  const catalogue = yield* PluginCatalogue
  const { data, nextCursor } = yield* paged("plugin_catalogue", page, catalogue.list, ({ manifest }) => [manifest.key])
  const ours = yield* (yield* Plugins).byKeys(data.map(({ manifest }) => manifest.key))
  const shown = data.map(({ manifest }) => {
    const plugin = ours.find((each) => each.manifest.key === manifest.key)
    return new CataloguedPlugin({
      key: manifest.key,
      name: manifest.name,
      manifest,
      installedId: plugin?.id ?? null
    })
  })
  return { data: shown, nextCursor }
})

/** Reads the plugins that are installed, newest first, or those that can be, by their keys. */
export const listPlugins = useCase(
  "plugins.list",
  { access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* (view: "installed" | "catalogue", page: PageRequest) {
    const read: {
      readonly data: ReadonlyArray<Plugin | CataloguedPlugin>
      readonly nextCursor: string | null
    } = view === "installed" ? yield* installed(page) : yield* offered(page)
    return read
  })
)
