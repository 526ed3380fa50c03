import { DateTime, Effect, Redacted, Schema } from "effect"
import { nextId } from "../../../kernel/index.ts"
import { secretsOfHeld } from "../../webhooks/index.ts"
import { LifecycleCallId, subscriptionOf } from "../Ids.ts"
import { type LifecycleCall, LifecycleCalls, type LifecycleType } from "../LifecycleCalls.ts"
import { addressIn } from "../manifests/PluginManifest.ts"
import type { KeptPlugin, PluginToken } from "../Plugins.ts"
import { signToken } from "../tokens.ts"
import { farewells } from "./farewells.ts"
import { openPluginLane } from "./pluginLane.ts"

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
