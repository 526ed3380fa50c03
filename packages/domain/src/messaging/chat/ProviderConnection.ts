import { DateTime, Effect, type Redacted } from "effect"
import { NotFound } from "../../kernel/index.ts"
import type { ChatAccount, ChatAccountId } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"
import type { ChannelFailure } from "./errors.ts"
import { type ChatSecretName, OpenedSecretCache, secretContext } from "./secrets.ts"

/** A number of the provider, and the right to use it. */
export interface ProviderConnection {
  /** What lets us in: a token of the provider, or the secret that we sign with. */
  readonly accessToken: Redacted.Redacted
  /** The secret before this one, as long as the other side may still go by it. */
  readonly formerToken?: Redacted.Redacted
  /** The address of the account, where it has one of its own. */
  readonly url?: string
  /** The provider's id of the number. */
  readonly phoneId: string
  /** The provider's id of the business account that the number belongs to. */
  readonly businessId: string
}

/** How a number is doing. */
export interface NumberHealth {
  readonly displayPhone: string
  readonly verifiedName: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
  readonly messagingLimit: string | null
  readonly throughputPerSecond: number | null
  /** Whether the number and its business account may send, as far as the provider says. */
  readonly sending: "available" | "limited" | "blocked" | "unknown"
  /** What the provider holds against the number, its business account or its business. */
  readonly issues: ReadonlyArray<{ readonly code: number; readonly reason: string }>
}

/** Asks a provider how a number is doing. */
export interface NumberHealthCheck {
  readonly check: (line: ProviderConnection) => Effect.Effect<NumberHealth, ChannelFailure>
}

/** Connects numbers through the platform app. */
export interface NumberSignup {
  /** Turns the code of a signup into a right to use its number. A code is good once. */
  readonly exchangeCode: (code: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, ChannelFailure>
  /** Has the provider send what happens with this business account. */
  readonly subscribe: (line: ProviderConnection) => Effect.Effect<void, ChannelFailure>
}

/** Whoever sends asks for the same secret again and again. */
const openCachedSecret = Effect.fnUntraced(function* (id: ChatAccountId, name: ChatSecretName, sealed: string) {
  return yield* (yield* OpenedSecretCache).open(yield* secretContext(id, name), sealed)
})

/** The secret before this one, as long as the other side may go by it. */
const openFormerSecret = Effect.fnUntraced(function* (id: ChatAccountId, { formerAppSecret }: ChatSecrets) {
  const isGood = formerAppSecret !== null && DateTime.isGreaterThan(formerAppSecret.until, yield* DateTime.now)
  return isGood ? { formerToken: yield* openCachedSecret(id, "app_secret", formerAppSecret.sealed) } : {}
})

/** The number of an account with the right to use it. An account that was removed meanwhile has none. */
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
