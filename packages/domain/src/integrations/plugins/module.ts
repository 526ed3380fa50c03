import { DateTime, Duration, Effect, Schema } from "effect"
import {
  byId,
  defineArea,
  defineCredentials,
  eventResource,
  type Permission,
  PluginId,
  seenWith
} from "../../kernel/index.ts"
import { sweepTenants } from "../../platform/background/index.ts"
import { plans, Plans } from "../../platform/entitlements/index.ts"
import { Plugin } from "./Plugin.ts"
import { PluginCatalogue } from "./PluginCatalogue.ts"
import { Plugins } from "./Plugins.ts"
import { callsHolding, PluginCalls } from "./calls/PluginCall.ts"
import { callLanes } from "./calls/callLanes.ts"
import { PluginEvent } from "./events.ts"
import { LifecycleCalls } from "./lifecycle/LifecycleCalls.ts"
import { pluginLanes } from "./lifecycle/lifecycleCallLanes.ts"
import { isAtWork, pluginsReactions, tokenLife } from "./lifecycle/pluginLifecycle.ts"
import { pluginSealedValues } from "./pluginSettings.ts"
import { getPlugin } from "./use-cases/plugins.ts"

/** What the events of this area are about, as GET answers it. */
const pluginResources = [eventResource("plugin", getPlugin, Plugin, byId("pluginId", PluginId))] as const

const isPluginId = Schema.is(PluginId)

const nothing: ReadonlySet<Permission> | null = null

/** Current permissions of a plugin; `null` for a disabled or removed plugin, or a plan without plugins. */
const pluginRequesters = {
  kind: "plugin",
  permissions: Effect.fnUntraced(function* (id: string) {
    const plugin = isPluginId(id) ? yield* (yield* Plugins).find(id) : null
    if (plugin === null || !isAtWork(plugin)) return nothing
    const isInPlan = plans[yield* (yield* Plans).current()].features.includes("plugins")
    return isInPlan ? new Set(plugin.manifest.permissions) : nothing
  })
} as const

/** The ports that a storage adapter provides of this area. */
const pluginsStorage = [LifecycleCalls, PluginCalls, PluginCatalogue, Plugins] as const

/** Every plugin takes room, enabled or not. */
const pluginUse = {
  limit: "plugins",
  lock: "plugins",
  count: Effect.flatMap(Plugins, (plugins) => plugins.count())
} as const

/** For how long it is kept what plugins were asked to do. */
const callsKept = Duration.days(30)

const sweepAtOnce = 1_000

const sweepCalls = Effect.gen(function* () {
  const calls = yield* PluginCalls
  const before = DateTime.subtractDuration(yield* DateTime.now, callsKept)
  while ((yield* calls.sweep(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** A token that was ended is refused for what it is until it would have ended by itself. */
const sweepTokens = Effect.gen(function* () {
  const plugins = yield* Plugins
  const before = DateTime.subtractDuration(yield* DateTime.now, tokenLife)
  while ((yield* plugins.sweepTokens(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** Plugins are told of their lives and asked to act, and what they were asked is forgotten after thirty days, as are their tokens once they have ended. */
const pluginsWorks = [
  pluginLanes,
  callLanes,
  sweepTenants("plugin calls", sweepCalls),
  sweepTenants("plugin tokens", sweepTokens)
] as const

/** What this area says of itself. */
export const pluginsArea = defineArea({
  name: "integrations/plugins",
  storage: pluginsStorage,
  events: seenWith(PluginEvent, {
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
  reactions: pluginsReactions,
  works: pluginsWorks,
  contactHoldings: [callsHolding],
  limitUses: [pluginUse],
  requesters: [pluginRequesters],
  sealedValues: pluginSealedValues,
  credentials: defineCredentials({
    name: "plugin token",
    parent: { kind: "record", name: "plugin", reason: "Disabling, failing or uninstalling the plugin ends it." }
  })
})
