import { DateTime, Effect } from "effect"
import type { NumberOnboarding, ProviderConnection } from "../ProviderConnection.ts"
import { ChatTokenUnsuitable } from "./errors.ts"

/**
 * Returns the access token as the provider describes it; `null` if it does not. Fails for a token without a needed permission, of another app, or after
 * its end. `appId` is the expected app, if known.
 */
export const checkToken = Effect.fnUntraced(function* (
  { describeToken, requiredScopes }: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null
) {
  // Without an answer, the next call decides whether the provider is reachable.
  const token = yield* Effect.catchTag(describeToken(line), "ChannelUnreachable", () => Effect.succeed(null))
  if (token === null) return null
  const refuse = (reason: ChatTokenUnsuitable["reason"], missingScopes: ReadonlyArray<string> = []) =>
    new ChatTokenUnsuitable({ reason, missingScopes, appId: token.appId })
  if (appId !== null && token.appId !== null && token.appId !== appId) return yield* refuse("another_app")
  if (token.expiresAt !== null && DateTime.isLessThanOrEqualTo(token.expiresAt, yield* DateTime.now)) {
    return yield* refuse("expired")
  }
  const missing = requiredScopes.filter((scope) => !token.scopes.includes(scope))
  return missing.length === 0 ? token : yield* refuse("scopes_missing", missing)
})
