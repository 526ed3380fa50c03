import { DateTime, Effect } from "effect"
import { renewHeldSecret } from "../../webhooks/index.ts"
import { subscriptionOf } from "../Ids.ts"
import { LifecycleCalls } from "../LifecycleCalls.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { addToken } from "../tokens.ts"
import { greetingOf, isAtWork, nextRotation } from "./life.ts"
import { type Carried, tell } from "./supply.ts"

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
