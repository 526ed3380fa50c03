import { Effect } from "effect"
import { type PluginId, requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { record } from "../../../platform/audit/index.ts"
import { resealHeld, type SecretRotation } from "../../webhooks/index.ts"
import { PluginSupplied, RotatedPluginSecret } from "../Plugin.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { appendEvent } from "../events.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import {
  addToken,
  greetingOf,
  isAtWork,
  nextRotation,
  startDeliveries,
  statusOfStart,
  stop,
  target
} from "../lifecycle/pluginLifecycle.ts"
import { renew, suppliesOf, tell, tellAnew } from "../lifecycle/pluginSupply.ts"
import { keptSettings, openSettings, shownPlugin } from "../pluginSettings.ts"

/** Has a plugin work again, with a new token, from the next event on. One that never answered is installed once more. */
export const enablePlugin = useCase(
  "plugins.enable",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "plugin" },
  Effect.fnUntraced(function* (id: PluginId, expectedVersion: number | null) {
    const plugins = yield* Plugins
    const before = yield* plugins.lock(id)
    yield* requireVersion(before, expectedVersion)
    // The answer can hold a token of the plugin, with all its permissions.
    yield* requireReach(before.manifest.permissions)
    if (isAtWork(before)) return new PluginSupplied(yield* shownPlugin(before))
    const saved = yield* plugins.save(
      { ...before, status: statusOfStart(before), lastError: null, rotatesAt: yield* nextRotation(before) },
      expectedVersion
    )
    const carried = { token: yield* addToken(id), hasSecret: true }
    yield* tell(saved, greetingOf(before), carried)
    if (saved.status === "enabled") yield* startDeliveries(saved)
    yield* record("plugin.enabled", target(id), { before: { status: before.status }, after: { status: saved.status } })
    yield* appendEvent({ type: "plugin.enabled", pluginId: id })
    return new PluginSupplied({
      ...(yield* shownPlugin(saved)),
      ...(yield* suppliesOf(saved, { ...carried, hasSecret: false }))
    })
  }, transact)
)

/** Ends everything that a plugin gets and may do, on every node. What waited for it is discarded. */
export const disablePlugin = useCase(
  "plugins.disable",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: PluginId, expectedVersion: number | null) {
    const plugins = yield* Plugins
    const before = yield* plugins.lock(id)
    yield* requireVersion(before, expectedVersion)
    if (before.status === "disabled") return yield* shownPlugin(before)
    const saved = yield* plugins.save({ ...before, status: "disabled", rotatesAt: null }, expectedVersion)
    yield* stop(saved)
    yield* tell(saved, "plugin.disabled")
    yield* record("plugin.disabled", target(id), { before: { status: before.status }, after: { status: "disabled" } })
    yield* appendEvent({ type: "plugin.disabled", pluginId: id })
    return yield* shownPlugin(saved)
  }, transact)
)

const aDay = 86_400

/** Gives a plugin a new secret and, while it works, a new token. The former ones are good for a while. */
export const rotatePluginSecret = useCase(
  "plugins.rotateSecret",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "plugin" },
  Effect.fnUntraced(function* (id: PluginId, { overlapSeconds = aDay }: SecretRotation) {
    const plugins = yield* Plugins
    const plugin = yield* plugins.lock(id)
    // The answer can hold a token of the plugin, with all its permissions.
    yield* requireReach(plugin.manifest.permissions)
    const overlap = { secretSeconds: overlapSeconds, tokenSeconds: overlapSeconds }
    const { carried, previousSecretExpiresAt } = yield* renew(plugin, overlap)
    if (plugin.status === "installing") yield* tellAnew(plugin, "plugin.token_rotated", carried)
    else yield* tell(plugin, "plugin.token_rotated", carried)
    yield* record("plugin.secret_rotated", target(id))
    return new RotatedPluginSecret({ ...(yield* suppliesOf(plugin, carried)), previousSecretExpiresAt })
  }, transact)
)

const reseal = Effect.fnUntraced(
  function* (id: PluginId) {
    const plugins = yield* Plugins
    const plugin = yield* plugins.lock(id)
    yield* plugins.keep({ ...plugin, ...(yield* keptSettings(id, plugin.manifest, yield* openSettings(plugin))) })
    yield* resealHeld(subscriptionOf(id))
    yield* record("plugin.resealed", target(id))
    return 1
  },
  transact,
  // Somebody has uninstalled it meanwhile.
  Effect.catchTag("NotFound", () => Effect.succeed(0))
)

const pageSize = 50

/** Seals the secrets of the organization's plugins by the newest master key; says how many plugins that were. */
export const resealPluginSecrets = useCase(
  "plugins.reseal",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const plugins = yield* Plugins
    let sealed = 0
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<KeptPlugin> = yield* plugins.list({ limit: pageSize, after })
      for (const { id } of page) sealed += yield* reseal(id)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = [last.id]
    }
  })
)
