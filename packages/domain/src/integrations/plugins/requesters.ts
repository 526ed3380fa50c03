import { Effect, Schema } from "effect"
import { plans, Plans } from "../../platform/entitlements/index.ts"
import { type Permission, PluginId } from "../../kernel/index.ts"
import { isAtWork } from "./lifecycle/life.ts"
import { Plugins } from "./Plugins.ts"

const isPluginId = Schema.is(PluginId)

const nothing: ReadonlySet<Permission> | null = null

/** Current permissions of a plugin; `null` for a disabled or removed plugin, or a plan without plugins. */
export const pluginRequesters = {
  kind: "plugin",
  permissions: Effect.fnUntraced(function* (id: string) {
    const plugin = isPluginId(id) ? yield* (yield* Plugins).find(id) : null
    if (plugin === null || !isAtWork(plugin)) return nothing
    const isInPlan = plans[yield* (yield* Plans).current()].features.includes("plugins")
    return isInPlan ? new Set(plugin.manifest.permissions) : nothing
  })
} as const
