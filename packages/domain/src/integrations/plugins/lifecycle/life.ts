import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { PluginId } from "../../../kernel/index.ts"
import { type HeldSubscription, startHeld, stopHeld } from "../../webhooks/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { subscriptionOf } from "../Ids.ts"
import { LifecycleCalls } from "../LifecycleCalls.ts"
import { addressIn } from "../manifests/PluginManifest.ts"
import type { PluginError } from "../Plugin.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { tokenRotatesAfter } from "../tokens.ts"

/** The plugin as the trail names it. */
export const target = (id: PluginId) => ({ kind: "plugin", id }) as const

/** What is said of the subscription that delivers events to a plugin. */
export const heldBy = ({ id, manifest }: KeptPlugin): HeldSubscription => ({
  id: subscriptionOf(id),
  name: manifest.name,
  url: addressIn(manifest, manifest.events?.path ?? manifest.lifecycle ?? ""),
  events: manifest.events?.types ?? [],
  permissions: manifest.permissions
})

/** When a plugin that has got a token gets the next one. One that cannot be told gets it from a person. */
export const nextRotation = Effect.fnUntraced(function* ({ manifest }: KeptPlugin) {
  return manifest.lifecycle === undefined ? null : DateTime.addDuration(yield* DateTime.now, tokenRotatesAfter)
})

/** What a plugin is when it is installed or enabled: one that is told waits for its answer. */
export const statusOfStart = ({ manifest }: KeptPlugin) => (manifest.lifecycle === undefined ? "enabled" : "installing")

/** Whether it has a token, or gets one with what it is told next. */
export const isAtWork = ({ status }: KeptPlugin) => status === "enabled" || status === "installing"

/** What a plugin that waits for its answer is told. One that has never answered is installed once more. */
export const greetingOf = ({ isGreeted }: KeptPlugin) => (isGreeted ? "plugin.enabled" : "plugin.installed")

/** Has events delivered to a plugin that is enabled. */
export const startDeliveries = ({ id }: KeptPlugin) => startHeld(subscriptionOf(id))

/** Ends everything of a plugin at once: its tokens, its deliveries, and what it was to be told. */
export const stop = Effect.fnUntraced(function* ({ id }: KeptPlugin) {
  yield* (yield* Plugins).endTokens(id, yield* DateTime.now, null)
  yield* stopHeld(subscriptionOf(id))
  yield* (yield* LifecycleCalls).dropAll(id)
})

/** A plugin that did not do its part gets nothing and may do nothing until somebody enables it again. */
export const fail = Effect.fnUntraced(function* (plugin: KeptPlugin, lastError: PluginError) {
  const { id, status } = plugin
  yield* stop(plugin)
  yield* (yield* Plugins).keep({ ...plugin, status: "failed", lastError, rotatesAt: null })
  yield* record("plugin.failed", target(id), {
    before: { status },
    after: { status: "failed", code: lastError.code, message: lastError.message }
  })
  yield* appendEvent({ type: "plugin.failed", pluginId: id, code: lastError.code })
})
