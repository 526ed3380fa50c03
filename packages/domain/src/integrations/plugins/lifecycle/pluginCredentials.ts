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

/** Content of a call in addition to the settings. */
export interface CallPayload {
  readonly token?: PluginToken
  readonly hasSecret?: boolean
  readonly farewell?: string
}

/** Queues a lifecycle call of the plugin, if the plugin accepts such calls. */
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

/** Returns the credentials of a plugin for the answer, if no lifecycle call transmits them. */
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

/** URL and signing secrets for the notice of an uninstallation. */
export const UninstallNotice = Schema.fromJsonString(
  Schema.Struct({ url: Schema.String, version: Schema.String, secrets: Schema.Array(Schema.String) })
)

/** Seals the data for the notice of an uninstallation, because the plugin's own secrets are destroyed by then. */
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

/** Validity of the former credentials. */
interface Overlap {
  readonly secretSeconds: number
  readonly tokenSeconds: number
}

/** Issues a new secret and, for an active plugin, a new token. The former ones stay valid for a while. */
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

/** Replaces all pending lifecycle calls with one call, because the credentials in the pending calls are no longer valid. */
export const restartLifecycle = Effect.fnUntraced(function* (
  plugin: StoredPlugin,
  type: "plugin.token_rotated" | "plugin.upgraded",
  carried: CallPayload
) {
  yield* (yield* LifecycleCalls).dropAll(plugin.id)
  yield* queueLifecycleCall(plugin, plugin.status === "installing" ? pendingLifecycleCall(plugin) : type, carried)
})
