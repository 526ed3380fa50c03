import { NotFound, type PluginId, VersionConflict } from "@parley/domain/kernel"
import { type StoredPlugin, Plugins } from "@parley/domain/integrations"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { ascending, descending } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "plugin" })

const stored = (
  { plugins }: Tenant,
  id: PluginId,
  expected: number | null
): StoredPlugin | Refused<NotFound | VersionConflict> => {
  const kept = rowAt(plugins, id)
  if (kept === null) return refuse(notFound())
  const { version } = kept
  return expected !== null && version !== expected ? refuse(new VersionConflict({ current: version })) : kept
}

export const layer = Layer.effect(
  Plugins,
  Effect.map(Store, (store) =>
    Plugins.of({
      list: (slice) => store.readTenant(({ plugins }) => descending(HashMap.values(plugins), ({ id }) => id, slice)),
      count: () => store.readTenant(({ plugins }) => HashMap.size(plugins)),
      find: (id) => store.readTenant(({ plugins }) => rowAt(plugins, id)),
      byKeys: (keys) =>
        store.readTenant(({ plugins }) =>
          ascending(
            Array.from(HashMap.values(plugins)).filter(({ manifest }) => keys.includes(manifest.key)),
            ({ manifest }) => manifest.key,
            { limit: Infinity, after: null }
          )
        ),
      lock: (id) =>
        store.writeTenant(({ plugins }) => {
          const kept = rowAt(plugins, id)
          return kept === null ? refuse(notFound()) : [kept, {}]
        }),
      insert: (plugin) =>
        store.writeTenant(({ plugins }) => [undefined, { plugins: HashMap.set(plugins, plugin.id, plugin) }]),
      save: (plugin, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, plugin.id, expected)
          if (before instanceof Refused) return before
          const saved = { ...plugin, version: before.version + 1 }
          return [saved, { plugins: HashMap.set(tenant.plugins, plugin.id, saved) }]
        }),
      keep: (plugin) =>
        store.writeTenant(({ plugins }) => [
          undefined,
          { plugins: HashMap.modify(plugins, plugin.id, ({ version }) => ({ ...plugin, version })) }
        ]),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          if (before instanceof Refused) return before
          const pluginTokens = HashMap.filter(tenant.pluginTokens, ({ pluginId }) => pluginId !== id)
          return [undefined, { plugins: HashMap.remove(tenant.plugins, id), pluginTokens }]
        }),
      addToken: (token) =>
        store.writeTenant(({ pluginTokens }) => [
          undefined,
          { pluginTokens: HashMap.set(pluginTokens, token.id, token) }
        ]),
      token: (id) => store.readTenant(({ pluginTokens }) => rowAt(pluginTokens, id)),
      endTokens: (id, at, but) =>
        store.writeTenant(({ pluginTokens }) => [
          undefined,
          {
            pluginTokens: HashMap.map(pluginTokens, (token) =>
              token.pluginId === id && token.id !== but && DateTime.isGreaterThan(token.expiresAt, at)
                ? { ...token, expiresAt: at }
                : token
            )
          }
        ]),
      sweepTokens: (before, limit) =>
        store.writeTenant(({ pluginTokens }) => {
          const gone = Array.from(HashMap.values(pluginTokens))
            .filter(({ expiresAt }) => DateTime.isLessThan(expiresAt, before))
            .slice(0, limit)
          const kept = gone.reduce((all, { id }) => HashMap.remove(all, id), pluginTokens)
          return [gone.length, { pluginTokens: kept }]
        })
    })
  )
)
