import { LifecycleCalls } from "@parley/domain/integrations"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../../store/slice.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  LifecycleCalls,
  Effect.map(Store, (store) =>
    LifecycleCalls.of({
      add: (call) =>
        store.writeTenant(({ lifecycleCalls }) => [
          undefined,
          { lifecycleCalls: HashMap.set(lifecycleCalls, call.id, call) }
        ]),
      next: (pluginId) =>
        store.readTenant(({ lifecycleCalls }) => {
          const calls = Array.from(HashMap.values(lifecycleCalls)).filter((call) => call.pluginId === pluginId)
          return ascending(calls, ({ id }) => id, { limit: 1, after: null })[0] ?? null
        }),
      retry: (id, tries, dueAt) =>
        store.writeTenant(({ lifecycleCalls }) => [
          undefined,
          { lifecycleCalls: HashMap.modify(lifecycleCalls, id, (call) => ({ ...call, tries, dueAt })) }
        ]),
      drop: (id) =>
        store.writeTenant(({ lifecycleCalls }) => [undefined, { lifecycleCalls: HashMap.remove(lifecycleCalls, id) }]),
      dropAll: (pluginId) =>
        store.writeTenant(({ lifecycleCalls }) => [
          undefined,
          { lifecycleCalls: HashMap.filter(lifecycleCalls, (call) => call.pluginId !== pluginId) }
        ])
    })
  )
)
