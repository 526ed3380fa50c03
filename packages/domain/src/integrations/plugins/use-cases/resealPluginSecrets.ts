import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { type PluginId, transact, useCase } from "../../../kernel/index.ts"
import { resealHeld } from "../../webhooks/index.ts"
import { subscriptionOf } from "../Ids.ts"
import { target } from "../lifecycle/life.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { keptSettings, openSettings } from "../settings.ts"

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
