import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, type PluginId, transact, useCase } from "../../../kernel/index.ts"
import { removeHeld } from "../../webhooks/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { PluginInUse } from "../Errors.ts"
import { subscriptionOf } from "../Ids.ts"
import { stop, target } from "../lifecycle/life.ts"
import { sealFarewell, tell } from "../lifecycle/supply.ts"
import { Plugins } from "../Plugins.ts"
import { PluginUses } from "../PluginUses.ts"
import { audited } from "../shown.ts"

/** Removes a plugin with its tokens and secrets, and has it told. Something that uses it keeps it, unless it is forced. */
export const uninstallPlugin = useCase(
  "plugins.uninstall",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: PluginId, force: boolean, expectedVersion: number | null) {
    const plugins = yield* Plugins
    yield* (yield* Locks).exclusive("plugins")
    const before = yield* plugins.lock(id)
    const usedBy = force ? [] : yield* (yield* PluginUses).of(id)
    if (usedBy.length > 0) return yield* new PluginInUse({ usedBy })
    const farewell = yield* sealFarewell(before)
    yield* stop(before)
    yield* plugins.remove(id, expectedVersion)
    yield* removeHeld(subscriptionOf(id))
    yield* tell(before, "plugin.uninstalled", farewell === undefined ? {} : { farewell })
    yield* record("plugin.uninstalled", target(id), { before: audited(before) })
    yield* appendEvent({ type: "plugin.uninstalled", pluginId: id, key: before.manifest.key })
  }, transact)
)
