import { type DateTime, Effect } from "effect"
import { parseProviderNumber } from "../../crm/index.ts"
import { ChatAccount, type ChatAccountError, type ChatAccountStatus } from "./ChatAccount.ts"
import type { NumberHealth } from "./ProviderConnection.ts"
import type { ChannelFailure, Remedy } from "./errors.ts"
import { isRegistered, type NumberDetails } from "./onboarding/NumberDetails.ts"
import type { OnboardingState } from "./onboarding/OnboardingState.ts"

/** Whether the number itself can send, as far as the provider reports it. A flagged number can. */
const canNumberSend = ({ platform, status }: NumberDetails): boolean =>
  platform !== "not_applicable" && (status === "connected" || status === "flagged" || status === "unknown")

const withRegistration = (state: OnboardingState, now: DateTime.Utc): OnboardingState => ({
  ...state,
  registeredAt: state.registeredAt ?? now,
  registrationFailure: null
})

/** Applies the health of a number to its account. */
export const withHealth = (before: ChatAccount, health: NumberHealth, now: DateTime.Utc) => {
  const [issue] = health.issues
  const canSend = health.sending !== "blocked" && health.sending !== "limited" && canNumberSend(health.details)
  const status: ChatAccountStatus = canSend ? "connected" : "degraded"
  return new ChatAccount({
    ...before,
    phone: parseProviderNumber(health.displayPhone),
    status,
    qualityRating: health.quality,
    messagingLimit: health.messagingLimit,
    throughputPerSecond: health.throughputPerSecond,
    number: health.details,
    onboarding: isRegistered(health.details) ? withRegistration(before.onboarding, now) : before.onboarding,
    lastCheckedAt: now,
    lastError: issue === undefined ? null : { code: issue.code, reason: issue.reason },
    updatedAt: now
  })
}

/** Returns the status of an account after a refusal; `null` if the refusal is not about the account. */
export const statusAfterRefusal = (remedy: Remedy): ChatAccountStatus | null => {
  switch (remedy) {
    case "reauthorize":
      return "disconnected"
    case "stop_account":
    case "stop_campaigns":
      return "degraded"
    default:
      return null
  }
}

const toAccountFailure = (
  failure: ChannelFailure
): { readonly error: ChatAccountError; readonly status: ChatAccountStatus | null } =>
  failure._tag === "ChannelRefused"
    ? { error: { code: failure.code, reason: failure.reason }, status: statusAfterRefusal(failure.remedy) }
    : { error: { code: null, reason: failure.message }, status: null }

/** Applies the result of a health check to the account. Unknown values stay. */
export const withHealthCheck = (
  before: ChatAccount,
  asked: Effect.Effect<NumberHealth, ChannelFailure>,
  now: DateTime.Utc
) =>
  Effect.match(asked, {
    onSuccess: (health) => withHealth(before, health, now),
    onFailure: (failure) => {
      const { error, status } = toAccountFailure(failure)
      return new ChatAccount({
        ...before,
        status: status ?? before.status,
        lastCheckedAt: now,
        lastError: error,
        updatedAt: now
      })
    }
  })
