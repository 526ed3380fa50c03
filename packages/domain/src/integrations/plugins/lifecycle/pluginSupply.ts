import { DateTime, Effect, Redacted, Schema } from "effect"
import { nextId } from "../../../kernel/index.ts"
import { renewHeldSecret, secretsOfHeld } from "../../webhooks/index.ts"
import { addressIn } from "../PluginManifest.ts"
import { type KeptPlugin, Plugins, type PluginToken } from "../Plugins.ts"
import {
  farewells,
  type LifecycleCall,
  LifecycleCallId,
  LifecycleCalls,
  type LifecycleType,
  openPluginLane,
  subscriptionOf
} from "./LifecycleCalls.ts"
import { addToken, greetingOf, isAtWork, nextRotation, signToken } from "./pluginLifecycle.ts"

/** What a call carries besides the settings. */
export interface Carried {
  readonly token?: PluginToken
  readonly hasSecret?: boolean
  readonly farewell?: string
}

/** Has the plugin told of its own life, where it can be. */
export const tell = Effect.fnUntraced(function* (
  { id: pluginId, manifest }: KeptPlugin,
  type: LifecycleType,
  { farewell, hasSecret = false, token }: Carried = {}
) {
  if (manifest.lifecycle === undefined) return
  const dueAt = yield* DateTime.now
  const call: LifecycleCall = {
    id: yield* nextId(LifecycleCallId),
    pluginId,
    type,
    tokenId: token?.id ?? null,
    hasSecret,
    farewell: farewell ?? null,
    tries: 0,
    dueAt
  }
  yield* (yield* LifecycleCalls).add(call)
  yield* openPluginLane(pluginId, "person", dueAt)
})

/** What a plugin works with, for the answer, where it is not told by itself. */
export const suppliesOf = Effect.fnUntraced(function* (
  { id, manifest }: KeptPlugin,
  { hasSecret = false, token }: Pick<Carried, "hasSecret" | "token">
) {
  if (manifest.lifecycle !== undefined) return {}
  const [secret] = hasSecret ? yield* secretsOfHeld(subscriptionOf(id)) : []
  return {
    ...(token !== undefined && { token: yield* signToken(token) }),
    ...(secret !== undefined && { secret })
  }
})

/** Where a plugin that is gone is told so, and what that is signed with. */
export const Farewell = Schema.fromJsonString(
  Schema.Struct({ url: Schema.String, version: Schema.String, secrets: Schema.Array(Schema.String) })
)

/** Keeps what is needed to tell a plugin that it is gone: its own secrets are destroyed by then. */
export const sealFarewell = Effect.fnUntraced(function* ({ id, manifest }: KeptPlugin) {
  if (manifest.lifecycle === undefined) return undefined
  const secrets = yield* secretsOfHeld(subscriptionOf(id))
  const text = yield* Effect.orDie(
    Schema.encodeEffect(Farewell)({
      url: addressIn(manifest, manifest.lifecycle),
      version: manifest.version,
      secrets: secrets.map(Redacted.value)
    })
  )
  return yield* farewells.seal(id, Redacted.make(text))
})

/** For how long what a plugin had before is good. */
interface Overlap {
  readonly secretSeconds: number
  readonly tokenSeconds: number
}

/** Gives a plugin a new secret and, while it is at work, a new token. The former ones are good for a while. */
export const renew = Effect.fnUntraced(function* (plugin: KeptPlugin, { secretSeconds, tokenSeconds }: Overlap) {
  const plugins = yield* Plugins
  const { previousSecretExpiresAt } = yield* renewHeldSecret(subscriptionOf(plugin.id), secretSeconds)
  if (!isAtWork(plugin)) return { carried: { hasSecret: true } satisfies Carried, previousSecretExpiresAt }
  const token = yield* addToken(plugin.id)
  yield* plugins.endTokens(plugin.id, DateTime.add(yield* DateTime.now, { seconds: tokenSeconds }), token.id)
  yield* plugins.keep({ ...plugin, rotatesAt: yield* nextRotation(plugin) })
  return { carried: { hasSecret: true, token } satisfies Carried, previousSecretExpiresAt }
})

/** Has a plugin told of what it begins with, in the place of all that it was to be told: what that brings is good no more. */
export const tellAnew = Effect.fnUntraced(function* (
  plugin: KeptPlugin,
  type: "plugin.token_rotated" | "plugin.upgraded",
  carried: Carried
) {
  yield* (yield* LifecycleCalls).dropAll(plugin.id)
  yield* tell(plugin, plugin.status === "installing" ? greetingOf(plugin) : type, carried)
})
