import { DateTime, Duration, Effect, Schema } from "effect"
import {
  idInput,
  defineArea,
  defineCredentials,
  defineEventResource,
  type Permission,
  PluginId,
  defineEvents
} from "../../kernel/index.ts"
import { sweepOrganizations } from "../../platform/background/index.ts"
import { plans, Plans } from "../../platform/entitlements/index.ts"
import { detailRetention } from "../webhooks/index.ts"
import { Plugin } from "./Plugin.ts"
import { PluginCatalogue } from "./PluginCatalogue.ts"
import { Plugins } from "./Plugins.ts"
import { pluginCallData, PluginCalls } from "./calls/PluginCalls.ts"
import { pluginCallLaneWorker } from "./calls/callLanes.ts"
import { PluginEvent } from "./events.ts"
import { LifecycleCalls } from "./lifecycle/LifecycleCalls.ts"
import { pluginLifecycleLaneWorker } from "./lifecycle/lifecycleCallLanes.ts"
import { isPluginActive, pluginEventConsumers, pluginTokenLifetime } from "./lifecycle/pluginLifecycle.ts"
import { pluginSealedValues } from "./pluginSettings.ts"
import { getPlugin } from "./use-cases/plugins.ts"

/** Resources of the events of this area, in the form of GET. */
const pluginResources = [defineEventResource("plugin", getPlugin, Plugin, idInput("pluginId", PluginId))] as const

const isPluginId = Schema.is(PluginId)

const noPermissions: ReadonlySet<Permission> | null = null

/** Current permissions of a plugin; `null` for a disabled or removed plugin, or a plan without plugins. */
const pluginRequesters = {
  kind: "plugin",
  permissions: Effect.fnUntraced(function* (id: string) {
    const plugin = isPluginId(id) ? yield* (yield* Plugins).find(id) : null
    if (plugin === null || !isPluginActive(plugin)) return noPermissions
    const isInPlan = plans[yield* (yield* Plans).current()].features.includes("plugins")
    return isInPlan ? new Set(plugin.manifest.permissions) : noPermissions
  })
} as const

const pluginsStorage = [LifecycleCalls, PluginCalls, PluginCatalogue, Plugins] as const

/** Counts every plugin, enabled or not. */
const pluginUsage = {
  limit: "plugins",
  lock: "plugins",
  count: Effect.flatMap(Plugins, (plugins) => plugins.count())
} as const

/** Retention of plugin calls. */
const callRetention = Duration.days(30)

const sweepBatchSize = 1_000

const sweepCalls = Effect.gen(function* () {
  const calls = yield* PluginCalls
  const now = yield* DateTime.now
  const before = DateTime.subtractDuration(now, callRetention)
  while ((yield* calls.sweep(before, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
  const logsBefore = DateTime.subtractDuration(now, detailRetention)
  while ((yield* calls.sweepLogs(logsBefore, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
})

/** An ended token stays at least until its regular end. Until then its use gets a specific error. */
const sweepTokens = Effect.gen(function* () {
  const plugins = yield* Plugins
  const before = DateTime.subtractDuration(yield* DateTime.now, pluginTokenLifetime)
  while ((yield* plugins.sweepTokens(before, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
})

/** Lifecycle calls, plugin calls, and sweeps of old calls and ended tokens. */
const pluginTasks = [
  pluginLifecycleLaneWorker,
  pluginCallLaneWorker,
  sweepOrganizations("plugin calls", sweepCalls),
  sweepOrganizations("plugin tokens", sweepTokens)
] as const

export const pluginsArea = defineArea({
  name: "integrations/plugins",
  storage: pluginsStorage,
  events: defineEvents(PluginEvent, {
    "plugin.installed": "plugins.read",
    "plugin.updated": "plugins.read",
    "plugin.upgraded": "plugins.read",
    "plugin.enabled": "plugins.read",
    "plugin.disabled": "plugins.read",
    "plugin.uninstalled": "plugins.read",
    "plugin.failed": "plugins.read"
  }),
  eventResources: pluginResources,
  permissions: ["plugins.read", "plugins.manage"],
  features: ["plugins"],
  eventConsumers: pluginEventConsumers,
  backgroundTasks: pluginTasks,
  contactDataOwners: [pluginCallData],
  limitUses: [pluginUsage],
  requesters: [pluginRequesters],
  sealedValues: pluginSealedValues,
  credentials: defineCredentials({
    name: "plugin token",
    parent: { kind: "record", name: "plugin", reason: "Disabling, failing or uninstalling the plugin ends it." }
  })
})
