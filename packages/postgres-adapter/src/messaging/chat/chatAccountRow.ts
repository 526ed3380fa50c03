import { unvalidated } from "@parley/domain/kernel"
import {
  type AccountSecrets,
  ChatAccount,
  type ChatAccountError,
  type ChatAccountId,
  type ChatAccountRestriction,
  type NumberDetails,
  OnboardingState,
  type StepFailure
} from "@parley/domain/messaging"
import { DateTime, Schema } from "effect"
import { type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

/** Columns of a chat account. */
export const accountColumns = `id, provider, mode, display_name AS "displayName", phone,
  external_account_id AS "externalAccountId", external_phone_id AS "externalPhoneId",
  messaging_account_id AS "messagingAccountId", url, status,
  quality_rating AS "qualityRating", messaging_limit AS "messagingLimit",
  throughput_per_second AS "throughputPerSecond", number_details AS number, onboarding, last_checked_at AS "lastCheckedAt", last_error AS "lastError", restrictions,
  created_at AS "createdAt", updated_at AS "updatedAt", version`

interface StoredRestriction extends Omit<ChatAccountRestriction, "expiresAt"> {
  readonly expiresAt: string | null
}

/** A row of chat accounts, without secrets. */
export interface AccountRow {
  readonly id: ChatAccountId
  readonly provider: ChatAccount["provider"]
  readonly mode: ChatAccount["mode"]
  readonly displayName: string
  readonly phone: string | null
  readonly externalAccountId: string
  readonly externalPhoneId: string
  readonly messagingAccountId: string | null
  readonly url: string | null
  readonly status: ChatAccount["status"]
  readonly qualityRating: ChatAccount["qualityRating"]
  readonly messagingLimit: string | null
  readonly throughputPerSecond: number | null
  readonly number: NumberDetails | null
  readonly onboarding: typeof OnboardingState.Encoded
  readonly lastCheckedAt: Instant | null
  readonly lastError: ChatAccountError | null
  readonly restrictions: ReadonlyArray<StoredRestriction>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

type StoredOnboarding = typeof OnboardingState.Encoded

const timeOf = (time: string | null): DateTime.Utc | null => (time === null ? null : DateTime.makeUnsafe(time))

const failureOf = (failure: StoredOnboarding["registrationFailure"]): StepFailure | null =>
  failure === null ? null : { ...failure, at: DateTime.makeUnsafe(failure.at) }

const syncOf = (sync: StoredOnboarding["contactsSync"]): OnboardingState["contactsSync"] =>
  sync === null
    ? null
    : {
        ...sync,
        at: DateTime.makeUnsafe(sync.at),
        completedAt: timeOf(sync.completedAt),
        failure: failureOf(sync.failure)
      }

const onboardingOf = (stored: StoredOnboarding): OnboardingState => ({
  ...stored,
  codeExchangedAt: timeOf(stored.codeExchangedAt),
  codeRequestedAt: timeOf(stored.codeRequestedAt),
  token: stored.token === null ? null : { ...stored.token, expiresAt: timeOf(stored.token.expiresAt) },
  registrationCalls: stored.registrationCalls.map((time) => DateTime.makeUnsafe(time)),
  registeredAt: timeOf(stored.registeredAt),
  registrationFailure: failureOf(stored.registrationFailure),
  subscribedAt: timeOf(stored.subscribedAt),
  subscriptionFailure: failureOf(stored.subscriptionFailure),
  webhookSeenAt: timeOf(stored.webhookSeenAt),
  contactsSync: syncOf(stored.contactsSync),
  historySync: syncOf(stored.historySync)
})

/** Returns the onboarding in the form of its column. */
export const encodeOnboarding = Schema.encodeSync(OnboardingState)

const restored = unvalidated(ChatAccount)

// Sending reads the account for each set of messages, and schemas take ten times as long.
export const accountOf = (row: AccountRow): ChatAccount =>
  restored({
    ...row,
    onboarding: onboardingOf(row.onboarding),
    lastCheckedAt: utcOrNull(row.lastCheckedAt),
    restrictions: row.restrictions.map(({ expiresAt, scopes, type }) => ({
      type,
      scopes,
      expiresAt: timeOf(expiresAt)
    })),
    createdAt: utc(row.createdAt),
    updatedAt: utc(row.updatedAt)
  })

/** Columns of an account's secrets. */
export const secretColumns = `id, provider, sealed_access_token AS "accessToken", sealed_app_secret AS "appSecret",
  sealed_former_app_secret AS "former", former_app_secret_until AS "formerUntil", sealed_verify_token AS "verifyToken",
  sealed_registration_pin AS pin, sealed_pending_pin AS "pendingPin"`

export interface SecretRow {
  readonly id: ChatAccountId
  readonly provider: string
  readonly accessToken: string
  readonly appSecret: string | null
  readonly former: string | null
  readonly formerUntil: Instant | null
  readonly verifyToken: string | null
  readonly pin: string | null
  readonly pendingPin: string | null
}

export const secretsOf = ({
  accessToken,
  appSecret,
  former,
  formerUntil,
  id,
  pendingPin,
  pin,
  provider,
  verifyToken
}: SecretRow): AccountSecrets => ({
  id,
  provider,
  accessToken,
  appSecret,
  formerAppSecret: former === null || formerUntil === null ? null : { sealed: former, until: utc(formerUntil) },
  verifyToken,
  pin,
  pendingPin
})
