import { DateTime, Effect, Redacted, Schema } from "effect"
import { nextId } from "../../../kernel/index.ts"
import { renewManagedSecret, managedSecrets } from "../../webhooks/index.ts"
import { toPluginUrl } from "../PluginManifest.ts"
import { type StoredPlugin, Plugins, type PluginToken } from "../Plugins.ts"
import {
  uninstallNotices,
  type LifecycleCall,
  LifecycleCallId,
  LifecycleCalls,
  type LifecycleType,
  schedulePluginLane,
  subscriptionOf
} from "./LifecycleCalls.ts"
import { addToken, pendingLifecycleCall, isPluginActive, nextRotation, signToken } from "./pluginLifecycle.ts"

/** What a call carries besides the settings. */
export interface CallPayload {
  readonly token?: PluginToken
  readonly hasSecret?: boolean
  readonly farewell?: string
}

/** Has the plugin told of its own life, where it can be. */
export const queueLifecycleCall = Effect.fnUntraced(function* (
  { id: pluginId, manifest }: StoredPlugin,
  type: LifecycleType,
  { farewell, hasSecret = false, token }: CallPayload = {}
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
  yield* schedulePluginLane(pluginId, "person", dueAt)
})

/** What a plugin works with, for the answer, where it is not told by itself. */
export const revealCredentials = Effect.fnUntraced(function* (
  { id, manifest }: StoredPlugin,
  { hasSecret = false, token }: Pick<CallPayload, "hasSecret" | "token">
) {
  if (manifest.lifecycle !== undefined) return {}
  const [secret] = hasSecret ? yield* managedSecrets(subscriptionOf(id)) : []
  return {
    ...(token !== undefined && { token: yield* signToken(token) }),
    ...(secret !== undefined && { secret })
  }
})

/** Where a plugin that is gone is told so, and what that is signed with. */
export const UninstallNotice = Schema.fromJsonString(
  Schema.Struct({ url: Schema.String, version: Schema.String, secrets: Schema.Array(Schema.String) })
)

/** Keeps what is needed to tell a plugin that it is gone: its own secrets are destroyed by then. */
export const sealUninstallNotice = Effect.fnUntraced(function* ({ id, manifest }: StoredPlugin) {
  if (manifest.lifecycle === undefined) return undefined
  const secrets = yield* managedSecrets(subscriptionOf(id))
  const text = yield* Effect.orDie(
    Schema.encodeEffect(UninstallNotice)({
      url: toPluginUrl(manifest, manifest.lifecycle),
      version: manifest.version,
      secrets: secrets.map(Redacted.value)
    })
  )
  return yield* uninstallNotices.seal(id, Redacted.make(text))
})

/** For how long what a plugin had before is good. */
interface Overlap {
  readonly secretSeconds: number
  readonly tokenSeconds: number
}

/** Gives a plugin a new secret and, while it is at work, a new token. The former ones are good for a while. */
export const renewCredentials = Effect.fnUntraced(function* (
  plugin: StoredPlugin,
  { secretSeconds, tokenSeconds }: Overlap
) {
  const plugins = yield* Plugins
  const { previousSecretExpiresAt } = yield* renewManagedSecret(subscriptionOf(plugin.id), secretSeconds)
  if (!isPluginActive(plugin)) return { carried: { hasSecret: true } satisfies CallPayload, previousSecretExpiresAt }
  const token = yield* addToken(plugin.id)
  yield* plugins.endTokens(plugin.id, DateTime.add(yield* DateTime.now, { seconds: tokenSeconds }), token.id)
  yield* plugins.keep({ ...plugin, rotatesAt: yield* nextRotation(plugin) })
  return { carried: { hasSecret: true, token } satisfies CallPayload, previousSecretExpiresAt }
})

/** Has a plugin told of what it begins with, in the place of all that it was to be told: what that brings is good no more. */
export const restartLifecycle = Effect.fnUntraced(function* (
  plugin: StoredPlugin,
  type: "plugin.token_rotated" | "plugin.upgraded",
  carried: CallPayload
) {
  yield* (yield* LifecycleCalls).dropAll(plugin.id)
  yield* queueLifecycleCall(plugin, plugin.status === "installing" ? pendingLifecycleCall(plugin) : type, carried)
})
