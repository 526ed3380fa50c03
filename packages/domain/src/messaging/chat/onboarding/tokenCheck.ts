import { DateTime, Effect } from "effect"
import type { NumberOnboarding, ProviderConnection } from "../ProviderConnection.ts"
import { ChatTokenUnsuitable, type OnboardingReason } from "./errors.ts"

/** JSON pointers to the fields of a request that name the token, the number and its business accounts. */
export interface ConnectionFields {
  readonly token: string
  readonly number: string
  readonly businessAccount: string
  readonly messagingAccount: string
}

/** Fields of a request that names all of them. */
export const newNumberFields: ConnectionFields = {
  token: "/accessToken",
  number: "/externalPhoneId",
  businessAccount: "/externalAccountId",
  messagingAccount: "/messagingAccountId"
}

/** Pointers of a request about a connected number. No field names its token, so they point to the whole request. */
export const connectedNumberFields: ConnectionFields = {
  token: "",
  number: "",
  businessAccount: "",
  messagingAccount: ""
}

/**
 * Returns the access token as the provider describes it; `null` if it does not. Fails for a token without a needed permission, of another app, or after
 * its end. `appId` is the expected app, if known.
 */
export const checkToken = Effect.fnUntraced(function* (
  { describeToken, requiredScopes }: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null,
  { token: pointer }: ConnectionFields
) {
  // Without an answer, the next call decides whether the provider is reachable.
  const token = yield* Effect.catchTag(describeToken(line), "ChannelUnreachable", () => Effect.succeed(null))
  if (token === null) return null
  const refuse = (reason: ChatTokenUnsuitable["reason"], missingScopes: ReadonlyArray<string> = []) =>
    new ChatTokenUnsuitable({ reason, missingScopes, appId: token.appId, externalAccountId: null, pointer })
  if (appId !== null && token.appId !== null && token.appId !== appId) return yield* refuse("another_app")
  if (token.expiresAt !== null && DateTime.isLessThanOrEqualTo(token.expiresAt, yield* DateTime.now)) {
    return yield* refuse("expired")
  }
  const missing = requiredScopes.filter((scope) => !token.scopes.includes(scope))
  return missing.length === 0 ? token : yield* refuse("scopes_missing", missing)
})

/** Refusals for a business account that the token cannot use. The provider does not distinguish it from an unknown one. */
const accessReasons: ReadonlySet<OnboardingReason> = new Set(["parameter_invalid", "permission_missing"])

const requireNumberOf = Effect.fnUntraced(function* (
  { hasNumber }: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null,
  pointer: string
) {
  const { businessId: externalAccountId } = line
  const refuse = (reason: ChatTokenUnsuitable["reason"]) =>
    new ChatTokenUnsuitable({ reason, missingScopes: [], appId, externalAccountId, pointer })
  const isOwner = yield* Effect.catchTag(hasNumber(line), "OnboardingRefused", (error) =>
    Effect.fail(accessReasons.has(error.reason) ? refuse("account_inaccessible") : error)
  )
  if (!isOwner) return yield* refuse("number_elsewhere")
})

/**
 * Fails unless the token can use each named business account, and each has the number. Events of a business account go to the organizations that have
 * connected it, so a claimed id is not enough.
 */
export const checkBusinessAccounts = Effect.fnUntraced(function* (
  onboarding: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null,
  fields: ConnectionFields
) {
  const { businessId, messagingAccountId = businessId } = line
  yield* requireNumberOf(onboarding, line, appId, fields.businessAccount)
  if (messagingAccountId === businessId) return
  yield* requireNumberOf(onboarding, { ...line, businessId: messagingAccountId }, appId, fields.messagingAccount)
})
