import { Effect } from "effect"
import { type PluginId, requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { reencryptManaged, type SecretRotation } from "../../webhooks/index.ts"
import { PluginWithCredentials, RotatedPluginSecret } from "../Plugin.ts"
import { type StoredPlugin, Plugins } from "../Plugins.ts"
import { appendEvent } from "../events.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import {
  addToken,
  pendingLifecycleCall,
  isPluginActive,
  nextRotation,
  startDeliveries,
  initialPluginStatus,
  stopPlugin,
  pluginAuditTarget
} from "../lifecycle/pluginLifecycle.ts"
import {
  renewCredentials,
  revealCredentials,
  queueLifecycleCall,
  restartLifecycle
} from "../lifecycle/pluginCredentials.ts"
import { toStoredSettings, openSettings, toPluginView } from "../pluginSettings.ts"

/** Enables a plugin with a new token, from the next event on. A plugin that never answered gets its installation again. */
export const enablePlugin = useCase(
  {
    name: "plugins.enable",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "plugin",
    audit: "plugin.enabled",
    emits: ["plugin.enabled"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: PluginId; readonly ifVersion: number | null }) {
    const plugins = yield* Plugins
    const before = yield* plugins.lock(id)
    yield* requireVersion(before, ifVersion)
    // The answer can hold a token of the plugin, with all its permissions.
    yield* requireReach(before.manifest.permissions)
    if (isPluginActive(before)) return new PluginWithCredentials(yield* toPluginView(before))
    const saved = yield* plugins.save(
      { ...before, status: initialPluginStatus(before), lastError: null, rotatesAt: yield* nextRotation(before) },
      ifVersion
    )
    const carried = { token: yield* addToken(id), hasSecret: true }
    yield* queueLifecycleCall(saved, pendingLifecycleCall(before), carried)
    if (saved.status === "enabled") yield* startDeliveries(saved)
    yield* recordAudit("plugin.enabled", pluginAuditTarget(id), {
      before: { status: before.status },
      after: { status: saved.status }
    })
    yield* appendEvent({ type: "plugin.enabled", pluginId: id })
    return new PluginWithCredentials({
      ...(yield* toPluginView(saved)),
      ...(yield* revealCredentials(saved, { ...carried, hasSecret: false }))
    })
  }, transact)
)

/** Disables a plugin and ends its access on every node. Discards its pending work. */
export const disablePlugin = useCase(
  {
    name: "plugins.disable",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "nothing",
    audit: "plugin.disabled",
    emits: ["plugin.disabled"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: PluginId; readonly ifVersion: number | null }) {
    const plugins = yield* Plugins
    const before = yield* plugins.lock(id)
    yield* requireVersion(before, ifVersion)
    if (before.status === "disabled") return yield* toPluginView(before)
    const saved = yield* plugins.save({ ...before, status: "disabled", rotatesAt: null }, ifVersion)
    yield* stopPlugin(saved)
    yield* queueLifecycleCall(saved, "plugin.disabled")
    yield* recordAudit("plugin.disabled", pluginAuditTarget(id), {
      before: { status: before.status },
      after: { status: "disabled" }
    })
    yield* appendEvent({ type: "plugin.disabled", pluginId: id })
    return yield* toPluginView(saved)
  }, transact)
)

const defaultOverlapSeconds = 86_400

/** Issues a new secret and, for an active plugin, a new token. The former ones stay valid for a while. */
export const rotatePluginSecret = useCase(
  {
    name: "plugins.rotateSecret",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "plugin",
    audit: "plugin.secret_rotated"
  },
  Effect.fnUntraced(function* ({
    id,
    overlapSeconds = defaultOverlapSeconds
  }: { readonly id: PluginId } & SecretRotation) {
    const plugins = yield* Plugins
    const plugin = yield* plugins.lock(id)
    // The answer can hold a token of the plugin, with all its permissions.
    yield* requireReach(plugin.manifest.permissions)
    const overlap = { secretSeconds: overlapSeconds, tokenSeconds: overlapSeconds }
    const { carried, previousSecretExpiresAt } = yield* renewCredentials(plugin, overlap)
    if (plugin.status === "installing") yield* restartLifecycle(plugin, "plugin.token_rotated", carried)
    else yield* queueLifecycleCall(plugin, "plugin.token_rotated", carried)
    yield* recordAudit("plugin.secret_rotated", pluginAuditTarget(id))
    return new RotatedPluginSecret({ ...(yield* revealCredentials(plugin, carried)), previousSecretExpiresAt })
  }, transact)
)

const reencryptPlugin = Effect.fnUntraced(
  function* (id: PluginId) {
    const plugins = yield* Plugins
    const plugin = yield* plugins.lock(id)
    yield* plugins.keep({ ...plugin, ...(yield* toStoredSettings(id, plugin.manifest, yield* openSettings(plugin))) })
    yield* reencryptManaged(subscriptionOf(id))
    yield* recordAudit("plugin.resealed", pluginAuditTarget(id))
    return 1
  },
  transact,
  // The plugin was uninstalled concurrently.
  Effect.catchTag("NotFound", () => Effect.succeed(0))
)

const pageSize = 50

/** Seals the secrets of the organization's plugins with the newest master key. Returns the number of plugins. */
export const reencryptPluginSecrets = useCase(
  { name: "plugins.reseal", access: "operator", audit: "plugin.resealed" },
  Effect.fnUntraced(function* () {
    const plugins = yield* Plugins
    let sealed = 0
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<StoredPlugin> = yield* plugins.list({ limit: pageSize, after })
      for (const { id } of page) sealed += yield* reencryptPlugin(id)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = [last.id]
    }
  })
)
