import { DateTime, Duration, Effect } from "effect"
import { TokenSigner } from "../../platform/identity/index.ts"
import { AutomationTokenId, CurrentOrganization, nextId, type PluginId } from "../../kernel/index.ts"
import { Plugins, type PluginToken } from "./Plugins.ts"

/** How long a token of a plugin lives, and after how long it gets the next one. Both are good for the rest of that time. */
export const tokenLife = Duration.days(90)
export const tokenRotatesAfter = Duration.days(60)

/** Makes a token for a plugin. It says what the plugin is granted when it is used, so nothing of that stands in it. */
export const addToken = Effect.fnUntraced(function* (pluginId: PluginId) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, tokenLife)
  const token: PluginToken = { id: yield* nextId(AutomationTokenId), pluginId, expiresAt }
  yield* (yield* Plugins).addToken(token)
  return token
})

/** The text of a token. */
export const signToken = Effect.fnUntraced(function* ({ expiresAt, id }: PluginToken) {
  const organizationId = (yield* CurrentOrganization).id
  return yield* (yield* TokenSigner).sign({ use: "automation", tokenId: id, organizationId }, expiresAt)
})
