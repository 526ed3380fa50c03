import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { type PluginId, requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { greetingOf, isAtWork, nextRotation, startDeliveries, statusOfStart, target } from "../lifecycle/life.ts"
import { suppliesOf, tell } from "../lifecycle/supply.ts"
import { PluginSupplied } from "../Plugin.ts"
import { Plugins } from "../Plugins.ts"
import { shownPlugin } from "../shown.ts"
import { addToken } from "../tokens.ts"

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
