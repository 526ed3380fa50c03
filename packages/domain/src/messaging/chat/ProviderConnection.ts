import { DateTime, Effect, type Redacted } from "effect"
import type { PhoneNumber } from "../../crm/index.ts"
import { NotFound } from "../../kernel/index.ts"
import type { ChatAccount, ChatAccountId } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"
import type { ChannelFailure, ChannelUnreachable } from "./errors.ts"
import type { CodeMethod } from "./onboarding/NumberVerification.ts"
import type { NumberDetails } from "./onboarding/NumberDetails.ts"
import type { SyncKind, TokenDetails } from "./onboarding/OnboardingState.ts"
import type { OnboardingStepName } from "./onboarding/checklist.ts"
import type { SignupResult, SignupSession } from "./onboarding/SignupSession.ts"
import type { OnboardingRefused, SignupCodeRefused } from "./onboarding/errors.ts"
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
  /** The provider's id of the account that pays and owns the templates, if it is known to differ. Messages name it. */
  readonly messagingAccountId?: string
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
  readonly issues: ReadonlyArray<{ readonly code: number | null; readonly reason: string }>
  readonly details: NumberDetails
}

/** Health check of a number at the provider. */
export interface NumberHealthCheck {
  readonly check: (line: ProviderConnection) => Effect.Effect<NumberHealth, ChannelFailure>
}

/** Signup of numbers through the platform app. */
export interface NumberSignup {
  /** Exchanges a signup code for an access token of its number. A code is valid once, for a short time. */
  readonly exchangeCode: (
    code: Redacted.Redacted
  ) => Effect.Effect<Redacted.Redacted, ChannelFailure | SignupCodeRefused>
  /** Reads the session event of a signup, as the browser received it. */
  readonly readSession: (session: SignupSession) => SignupResult
}

/** Address that replaces the app's webhook URL for one business account or one number. */
export interface CallbackOverride {
  readonly url: string
  readonly verifyToken: Redacted.Redacted
}

/** Answer of a step of the onboarding. */
type StepAnswer<A> = Effect.Effect<A, OnboardingRefused | ChannelUnreachable>

/** Onboarding of numbers at the provider. */
export interface NumberOnboarding {
  /** Permissions that an access token needs. */
  readonly requiredScopes: ReadonlyArray<string>
  /** Describes the access token; `null` if the provider does not describe it to this caller. */
  readonly describeToken: (line: ProviderConnection) => Effect.Effect<TokenDetails | null, ChannelUnreachable>
  /** Lists the ids of the business account's numbers. */
  readonly listNumbers: (line: ProviderConnection) => StepAnswer<ReadonlyArray<string>>
  /** Whether the business account has the number. The provider refuses a token without access to the account. */
  readonly hasNumber: (line: ProviderConnection) => StepAnswer<boolean>
  /** Adds a phone number to the business account, unless it has it. Returns the id of the number; `null` for a number without a known country code. */
  readonly addNumber: (
    line: ProviderConnection,
    number: { readonly phone: PhoneNumber; readonly verifiedName: string }
  ) => StepAnswer<string | null>
  /** Requests a code for the verification of the number. `language` is one such as `en_US`. */
  readonly requestCode: (
    line: ProviderConnection,
    request: { readonly method: CodeMethod; readonly language: string }
  ) => StepAnswer<void>
  readonly verifyCode: (line: ProviderConnection, code: Redacted.Redacted) => StepAnswer<void>
  /** Registers a verified number for sending. The PIN becomes its two-step verification, or must equal the existing one. */
  readonly register: (line: ProviderConnection, pin: Redacted.Redacted) => StepAnswer<void>
  readonly deregister: (line: ProviderConnection) => StepAnswer<void>
  readonly changePin: (line: ProviderConnection, pin: Redacted.Redacted) => StepAnswer<void>
  /** Subscribes the app to the events of the business account, optionally with another address for them. */
  readonly subscribe: (line: ProviderConnection, override: CallbackOverride | null) => StepAnswer<void>
  /** Sends the events of this number to another address, or with `null` to the one of its business account. */
  readonly overrideNumber: (line: ProviderConnection, override: CallbackOverride | null) => StepAnswer<void>
  readonly unsubscribe: (line: ProviderConnection) => StepAnswer<void>
  /** Whether an app is subscribed, with the address that replaces the app's own. Without `appId`, any app counts, and any such address. */
  readonly readSubscription: (
    line: ProviderConnection,
    appId: string | null
  ) => StepAnswer<{ readonly isSubscribed: boolean; readonly callbackUrl: string | null }>
  /** Requests the data of the number's business app. Returns the provider's id of the request. */
  readonly requestSync: (line: ProviderConnection, kind: SyncKind) => StepAnswer<string>
  /** Address of the provider's page for a step; `null` if none applies. */
  readonly pageOf: (step: OnboardingStepName, number: PageSubject) => string | null
}

/** Ids that select a page of the provider. */
export interface PageSubject {
  readonly businessId: string
  readonly appId: string | null
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
  messagingAccountId,
  url
}: Pick<ChatAccount, "externalAccountId" | "externalPhoneId" | "id" | "messagingAccountId" | "url">) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  if (secrets === undefined) return yield* new NotFound({ resource: "chat account" })
  const accessToken = yield* openCachedSecret(id, "access_token", secrets.accessToken)
  const line: ProviderConnection = {
    accessToken,
    phoneId: externalPhoneId,
    businessId: externalAccountId,
    ...(messagingAccountId !== null && { messagingAccountId })
  }
  return url === null ? line : { ...line, url, ...(yield* openFormerSecret(id, secrets)) }
})
