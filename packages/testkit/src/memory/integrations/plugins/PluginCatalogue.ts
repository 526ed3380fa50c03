import { PluginCatalogue } from "@parley/domain/integrations"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../../store/slice.ts"
import { Store } from "../../store/Store.ts"

const keyOf = ({ manifest }: { readonly manifest: { readonly key: string } }) => manifest.key

export const layer = Layer.effect(
  PluginCatalogue,
  Effect.map(Store, (store) =>
    PluginCatalogue.of({
      list: (slice) => store.read(({ pluginCatalogue }) => ascending(HashMap.values(pluginCatalogue), keyOf, slice)),
      byKeys: (keys) =>
        store.read(({ pluginCatalogue }) => {
          const entries = Array.from(HashMap.values(pluginCatalogue)).filter((entry) => keys.includes(keyOf(entry)))
          return ascending(entries, keyOf, { limit: Infinity, after: null })
        }),
      put: (entry) =>
        store.write((state) => [
          undefined,
          { ...state, pluginCatalogue: HashMap.set(state.pluginCatalogue, keyOf(entry), entry) }
        ]),
      remove: (key) =>
        store.write((state) => [
          HashMap.has(state.pluginCatalogue, key),
          { ...state, pluginCatalogue: HashMap.remove(state.pluginCatalogue, key) }
        ])
    })
  )
)
