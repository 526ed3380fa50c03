import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { type PluginId, requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { target } from "../lifecycle/life.ts"
import { tell } from "../lifecycle/supply.ts"
import type { PluginPatch, PluginSettings } from "../Plugin.ts"
import { Plugins } from "../Plugins.ts"
import { changedSettings, checkSettings, keptSettings, openSettings } from "../settings.ts"
import { shownPlugin } from "../shown.ts"

const differing = (before: PluginSettings, after: PluginSettings): ReadonlyArray<string> =>
  Array.from(new Set([...Object.keys(before), ...Object.keys(after)])).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )

/** Changes settings of a plugin, and has it told. */
export const updatePlugin = useCase(
  "plugins.update",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "plugin" },
  Effect.fnUntraced(function* (id: PluginId, { settings: said }: PluginPatch, expectedVersion: number | null) {
    const plugins = yield* Plugins
    const before = yield* plugins.lock(id)
    yield* requireVersion(before, expectedVersion)
    yield* requireReach(before.manifest.permissions)
    const values = yield* openSettings(before)
    const changed = changedSettings(before.manifest, values, said)
    yield* checkSettings(before.manifest, changed)
    const names = differing(values, changed)
    if (names.length === 0) return yield* shownPlugin(before)
    const saved = yield* plugins.save(
      { ...before, ...(yield* keptSettings(id, before.manifest, changed)) },
      expectedVersion
    )
    if (saved.status === "enabled" || saved.status === "installing") yield* tell(saved, "plugin.settings_changed")
    yield* record("plugin.updated", target(id), { after: { settings: names } })
    yield* appendEvent({ type: "plugin.updated", pluginId: id, fields: names.map((name) => `settings.${name}`) })
    return yield* shownPlugin(saved)
  }, transact)
)
