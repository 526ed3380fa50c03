import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { type PluginId, transact, useCase } from "../../kernel/index.ts"
import { renewHeldSecret, type SecretRotation } from "../../webhooks/index.ts"
import { subscriptionOf } from "../Ids.ts"
import { nextRotation, target } from "../lifecycle/life.ts"
import { suppliesOf, tell } from "../lifecycle/supply.ts"
import { RotatedPluginSecret } from "../Plugin.ts"
import { Plugins } from "../Plugins.ts"
import { addToken } from "../tokens.ts"

const aDay = 86_400

/** Gives a plugin a new secret and, while it works, a new token. The former ones are good for a while. */
export const rotatePluginSecret = useCase(
  "plugins.rotateSecret",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins" },
  Effect.fnUntraced(function* (id: PluginId, { overlapSeconds = aDay }: SecretRotation) {
    const plugins = yield* Plugins
    const plugin = yield* plugins.lock(id)
    const { previousSecretExpiresAt } = yield* renewHeldSecret(subscriptionOf(id), overlapSeconds)
    const works = plugin.status === "enabled" || plugin.status === "installing"
    const token = works ? yield* addToken(id) : undefined
    if (token !== undefined) {
      yield* plugins.endTokens(id, previousSecretExpiresAt, token.id)
      yield* plugins.keep({ ...plugin, rotatesAt: yield* nextRotation(plugin) })
    }
    const carried = { hasSecret: true, ...(token !== undefined && { token }) }
    yield* tell(plugin, "plugin.token_rotated", carried)
    yield* record("plugin.secret_rotated", target(id))
    return new RotatedPluginSecret({ ...(yield* suppliesOf(plugin, carried)), previousSecretExpiresAt })
  }, transact)
)
