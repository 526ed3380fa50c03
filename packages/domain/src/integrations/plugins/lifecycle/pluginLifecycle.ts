import { DateTime, Duration, Effect } from "effect"
import { AutomationTokenId, CurrentOrganization, FeatureGate, nextId, PluginId } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { defineEventConsumer } from "../../../platform/events/index.ts"
import { IdentityEvent, Organizations, TokenSigner } from "../../../platform/identity/index.ts"
import { type ManagedSubscription, startManaged, stopManaged, wakeManaged, WebhookEvent } from "../../webhooks/index.ts"
import type { PluginError } from "../Plugin.ts"
import { toPluginUrl } from "../PluginManifest.ts"
import { type StoredPlugin, Plugins, type PluginToken } from "../Plugins.ts"
import { appendEvent } from "../events.ts"
import { LifecycleCalls, schedulePluginLane, subscriptionOf } from "./LifecycleCalls.ts"

/** How long a token of a plugin lives, and after how long it gets the next one. Both are good for the rest of that time. */
export const pluginTokenLifetime = Duration.days(90)
export const tokenRotatesAfter = Duration.days(60)

/** Makes a token for a plugin. It says what the plugin is granted when it is used, so nothing of that stands in it. */
export const addToken = Effect.fnUntraced(function* (pluginId: PluginId) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, pluginTokenLifetime)
  const token: PluginToken = { id: yield* nextId(AutomationTokenId), pluginId, expiresAt }
  yield* (yield* Plugins).addToken(token)
  return token
})

/** The text of a token. */
export const signToken = Effect.fnUntraced(function* ({ expiresAt, id }: PluginToken) {
  const organizationId = (yield* CurrentOrganization).id
  return yield* (yield* TokenSigner).sign({ use: "automation", tokenId: id, organizationId }, expiresAt)
})

/** Whether anything of plugins runs in the organization. */
export const canRunPlugins = Effect.gen(function* () {
  const organization = yield* (yield* Organizations).current()
  if (organization.status !== "active") return false
  return yield* Effect.match((yield* FeatureGate).require("plugins"), {
    onFailure: () => false,
    onSuccess: () => true
  })
})

/**
 * Locks a plugin; `null` after its uninstallation. A concurrent uninstallation can delete the row while this call waits for the lock. This is not an
 * error.
 */
export const lockInstalled = (id: PluginId) =>
  Effect.flatMap(Plugins, (plugins) => plugins.lock(id)).pipe(Effect.catchTag("NotFound", () => Effect.succeed(null)))

/** The plugin as the trail names it. */
export const pluginAuditTarget = (id: PluginId) => ({ kind: "plugin", id }) as const

/** What is said of the subscription that delivers events to a plugin. */
export const toManagedSubscription = ({ id, manifest }: StoredPlugin): ManagedSubscription => ({
  id: subscriptionOf(id),
  name: manifest.name,
  url: toPluginUrl(manifest, manifest.events?.path ?? manifest.lifecycle ?? ""),
  events: manifest.events?.types ?? [],
  permissions: manifest.permissions
})

/** When a plugin that has got a token gets the next one. One that cannot be told gets it from a person. */
export const nextRotation = Effect.fnUntraced(function* ({ manifest }: StoredPlugin) {
  return manifest.lifecycle === undefined ? null : DateTime.addDuration(yield* DateTime.now, tokenRotatesAfter)
})

/** What a plugin is when it is installed or enabled: one that is told waits for its answer. */
export const initialPluginStatus = ({ manifest }: StoredPlugin) =>
  manifest.lifecycle === undefined ? "enabled" : "installing"

/** Whether it has a token, or gets one with what it is told next. */
export const isPluginActive = ({ status }: StoredPlugin) => status === "enabled" || status === "installing"

/** What a plugin that waits for its answer is told. One that has never answered is installed once more. */
export const pendingLifecycleCall = ({ isGreeted }: StoredPlugin) => (isGreeted ? "plugin.enabled" : "plugin.installed")

/** Has events delivered to a plugin that is enabled. */
export const startDeliveries = ({ id }: StoredPlugin) => startManaged(subscriptionOf(id))

/** Ends everything of a plugin at once: its tokens, its deliveries, and what it was to be told. */
export const stopPlugin = Effect.fnUntraced(function* ({ id }: StoredPlugin) {
  yield* (yield* Plugins).endTokens(id, yield* DateTime.now, null)
  yield* stopManaged(subscriptionOf(id))
  yield* (yield* LifecycleCalls).dropAll(id)
})

/** A plugin that did not do its part gets nothing and may do nothing until somebody enables it again. */
export const failPlugin = Effect.fnUntraced(function* (plugin: StoredPlugin, lastError: PluginError) {
  const { id, status } = plugin
  yield* stopPlugin(plugin)
  yield* (yield* Plugins).keep({ ...plugin, status: "failed", lastError, rotatesAt: null })
  yield* recordAudit("plugin.failed", pluginAuditTarget(id), {
    before: { status },
    after: { status: "failed", code: lastError.code, message: lastError.message }
  })
  yield* appendEvent({ type: "plugin.failed", pluginId: id, code: lastError.code })
})

/** A plugin that takes no events for days, or says that it is gone, has failed. */
const endUnreachable = defineEventConsumer({
  name: "plugins.end_unreachable",
  schema: WebhookEvent,
  events: ["webhook_subscription.disabled"],
  beginsWith: "first_event",
  batch: 20,
  handle: Effect.fnUntraced(function* (events) {
    for (const { event } of events) {
      const plugin = yield* lockInstalled(PluginId.make(event.webhookSubscriptionId))
      if (plugin?.status !== "enabled") continue
      const message =
        event.reason === "gone" ? "It answered to an event that it is gone." : "It has taken no event for five days."
      yield* failPlugin(plugin, { code: "deliveries_failed", message, at: yield* DateTime.now })
    }
  })
})

const pageSize = 50

/** What has waited while the plan had no plugins goes on as soon as it has. */
const wakeAll = defineEventConsumer({
  name: "plugins.wake_all",
  schema: IdentityEvent,
  events: ["organization.plan_changed"],
  beginsWith: "next_event",
  batch: 20,
  handle: Effect.fnUntraced(function* () {
    const plugins = yield* Plugins
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<StoredPlugin> = yield* plugins.list({ limit: pageSize, after })
      for (const { id } of page) {
        yield* wakeManaged(subscriptionOf(id))
        yield* schedulePluginLane(id, "bulk", yield* DateTime.now)
      }
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = [last.id]
    }
  })
})

/** What this area does about events. */
export const pluginEventConsumers = [endUnreachable, wakeAll] as const
