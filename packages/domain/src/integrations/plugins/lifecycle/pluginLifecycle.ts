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

/** Lifetime of a plugin token, and its age at the issue of the next token. Both tokens are valid until the first one ends. */
export const pluginTokenLifetime = Duration.days(90)
export const tokenRotatesAfter = Duration.days(60)

/** Creates a token for a plugin. It contains no permissions: each use reads the plugin's grants. */
export const addToken = Effect.fnUntraced(function* (pluginId: PluginId) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, pluginTokenLifetime)
  const token: PluginToken = { id: yield* nextId(AutomationTokenId), pluginId, expiresAt }
  yield* (yield* Plugins).addToken(token)
  return token
})

/** Returns the text of a token. */
export const signToken = Effect.fnUntraced(function* ({ expiresAt, id }: PluginToken) {
  const organizationId = (yield* CurrentOrganization).id
  return yield* (yield* TokenSigner).sign({ use: "automation", tokenId: id, organizationId }, expiresAt)
})

/** Returns whether plugins can run in the organization. */
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

/** Audit target of a plugin. */
export const pluginAuditTarget = (id: PluginId) => ({ kind: "plugin", id }) as const

/** Builds the managed subscription that delivers events to a plugin. */
export const toManagedSubscription = ({ id, manifest }: StoredPlugin): ManagedSubscription => ({
  id: subscriptionOf(id),
  name: manifest.name,
  url: toPluginUrl(manifest, manifest.events?.path ?? manifest.lifecycle ?? ""),
  events: manifest.events?.types ?? [],
  permissions: manifest.permissions
})

/** Returns when a plugin with a new token gets the next one. A plugin without lifecycle calls gets it from a member. */
export const nextRotation = Effect.fnUntraced(function* ({ manifest }: StoredPlugin) {
  return manifest.lifecycle === undefined ? null : DateTime.addDuration(yield* DateTime.now, tokenRotatesAfter)
})

/** Returns the status after installation or activation. A plugin with lifecycle calls must answer first. */
export const initialPluginStatus = ({ manifest }: StoredPlugin) =>
  manifest.lifecycle === undefined ? "enabled" : "installing"

/** Returns whether the plugin has a token, or gets one with its pending lifecycle call. */
export const isPluginActive = ({ status }: StoredPlugin) => status === "enabled" || status === "installing"

/** Returns the lifecycle call of a plugin that must answer. A plugin that never answered gets its installation again. */
export const pendingLifecycleCall = ({ isGreeted }: StoredPlugin) => (isGreeted ? "plugin.enabled" : "plugin.installed")

/** Starts the event deliveries to an enabled plugin. */
export const startDeliveries = ({ id }: StoredPlugin) => startManaged(subscriptionOf(id))

/** Ends the tokens, deliveries and lifecycle calls of a plugin. */
export const stopPlugin = Effect.fnUntraced(function* ({ id }: StoredPlugin) {
  yield* (yield* Plugins).endTokens(id, yield* DateTime.now, null)
  yield* stopManaged(subscriptionOf(id))
  yield* (yield* LifecycleCalls).dropAll(id)
})

/** Fails a plugin. It receives nothing and has no access until its next activation. */
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

/** Fails a plugin whose event deliveries fail for days, or that answers 410. */
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
        event.reason === "gone"
          ? "The plugin answered an event with 410 (gone)."
          : "The plugin has not accepted an event for five days."
      yield* failPlugin(plugin, { code: "deliveries_failed", message, at: yield* DateTime.now })
    }
  })
})

const pageSize = 50

/** Resumes pending calls when the plan includes plugins again. */
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

export const pluginEventConsumers = [endUnreachable, wakeAll] as const
