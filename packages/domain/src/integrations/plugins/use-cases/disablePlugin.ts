import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { type PluginId, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { stop, target } from "../lifecycle/life.ts"
import { tell } from "../lifecycle/supply.ts"
import { Plugins } from "../Plugins.ts"
import { shownPlugin } from "../shown.ts"

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
