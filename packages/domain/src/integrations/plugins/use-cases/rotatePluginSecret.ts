import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { type PluginId, requireReach, transact, useCase } from "../../../kernel/index.ts"
import type { SecretRotation } from "../../webhooks/index.ts"
import { target } from "../lifecycle/life.ts"
import { renew, tellAnew } from "../lifecycle/renew.ts"
import { suppliesOf, tell } from "../lifecycle/supply.ts"
import { RotatedPluginSecret } from "../Plugin.ts"
import { Plugins } from "../Plugins.ts"

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
