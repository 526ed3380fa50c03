import { DateTime, Effect, type Redacted } from "effect"
import { NotFound } from "../../kernel/index.ts"
import type { ChatAccount, ChatAccountId } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"
import type { ChannelFailure } from "./errors.ts"
import { type ChatSecretName, OpenedSecretCache, secretContext } from "./secrets.ts"

/** Number of the provider with its credentials. */
export interface ProviderConnection {
  /** Access token of the provider, or the secret that signs requests. */
  readonly accessToken: Redacted.Redacted
  /** Former secret, while the receiver may still use it. */
  readonly formerToken?: Redacted.Redacted
  /** URL of the account, if it has its own. */
  readonly url?: string
  /** The provider's id of the number. */
  readonly phoneId: string
  /** The provider's id of the business account of the number. */
  readonly businessId: string
}

export interface NumberHealth {
  readonly displayPhone: string
  readonly verifiedName: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
  readonly messagingLimit: string | null
  readonly throughputPerSecond: number | null
  /** Sending status of the number and its business account, as far as the provider reports it. */
  readonly sending: "available" | "limited" | "blocked" | "unknown"
  /** Issues that the provider reports for the number, its business account or its business. */
  readonly issues: ReadonlyArray<{ readonly code: number; readonly reason: string }>
}

/** Health check of a number at the provider. */
export interface NumberHealthCheck {
  readonly check: (line: ProviderConnection) => Effect.Effect<NumberHealth, ChannelFailure>
}

/** Signup of numbers through the platform app. */
export interface NumberSignup {
  /** Exchanges a signup code for an access token of its number. A code is valid once. */
  readonly exchangeCode: (code: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, ChannelFailure>
  /** Subscribes to the events of this business account. */
  readonly subscribe: (line: ProviderConnection) => Effect.Effect<void, ChannelFailure>
}

/** Caches the opened secret, because each send needs it. */
const openCachedSecret = Effect.fnUntraced(function* (id: ChatAccountId, name: ChatSecretName, sealed: string) {
  return yield* (yield* OpenedSecretCache).open(yield* secretContext(id, name), sealed)
})

/** Opens the former secret, while the receiver may still use it. */
const openFormerSecret = Effect.fnUntraced(function* (id: ChatAccountId, { formerAppSecret }: ChatSecrets) {
  const isGood = formerAppSecret !== null && DateTime.isGreaterThan(formerAppSecret.until, yield* DateTime.now)
  return isGood ? { formerToken: yield* openCachedSecret(id, "app_secret", formerAppSecret.sealed) } : {}
})

/** Returns the number of an account with its credentials. An account that was removed concurrently has none. */
export const openProviderConnection = Effect.fnUntraced(function* ({
  externalAccountId,
  externalPhoneId,
  id,
  url
}: ChatAccount) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  if (secrets === undefined) return yield* new NotFound({ resource: "chat account" })
  const accessToken = yield* openCachedSecret(id, "access_token", secrets.accessToken)
  const line: ProviderConnection = { accessToken, phoneId: externalPhoneId, businessId: externalAccountId }
  return url === null ? line : { ...line, url, ...(yield* openFormerSecret(id, secrets)) }
})
