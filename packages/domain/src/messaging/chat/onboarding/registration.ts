import { DateTime, Effect, type Redacted, Result } from "effect"
import { ChatAccount, type ChatAccountId } from "../ChatAccount.ts"
import { channelFor } from "../ChatChannels.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import { fetchNumberHealth } from "../accountConnecting.ts"
import { withHealth } from "../accountHealth.ts"
import { openSecret, sealSecret } from "../secrets.ts"
import { isRegistered, unknownDetails } from "./NumberDetails.ts"
import { maxRegistrationCalls, recentCalls, registrationWindow } from "./checklist.ts"
import { OnboardingRefused, type OnboardingReason } from "./errors.ts"
import { createPin } from "./pin.ts"
import { loadSealedPin, toStepFailure, updateAccount, withOnboarding } from "./updateAccount.ts"

/** Account after a step, with its PIN if this answer shows it. */
export interface Registered {
  readonly account: ChatAccount
  readonly pin: Redacted.Redacted | null
}

const refuse = (reason: OnboardingReason, retryAt: DateTime.Utc | null = null) =>
  new OnboardingRefused({ reason, providerCode: null, providerReason: null, retryAt })

/** Fails for a number of the provider's business app, which has no registration of its own. */
export const requireOwnRegistration = Effect.fnUntraced(function* ({ number, onboarding }: ChatAccount) {
  if (onboarding.isCoexistence || number?.isOnBusinessApp === true) return yield* refuse("coexistence_number")
})

/** Fails if the provider would refuse another registration of the number, because each attempt counts. */
const requireRegistrable = Effect.fnUntraced(function* (account: ChatAccount, hasPin: boolean) {
  const { codeVerification, nameStatus } = account.number ?? unknownDetails
  if (codeVerification === "not_verified" || codeVerification === "expired") return yield* refuse("number_not_verified")
  if (nameStatus === "expired" || nameStatus === "none") return yield* refuse("display_name_unusable")
  const isMismatchKnown = account.onboarding.registrationFailure?.reason === "pin_mismatch"
  if (isMismatchKnown && !hasPin) return yield* refuse("pin_mismatch")
})

/** Counts a call that the provider limits, before it is made. Fails without a call at the limit. */
export const countRegistrationCall = Effect.fnUntraced(function* (
  { id }: ChatAccount,
  change: { readonly pin?: string; readonly hasUnshownPin?: boolean }
) {
  const { hasUnshownPin, pin } = change
  const result = yield* updateAccount(id, {
    ...(pin !== undefined && { pin }),
    change: (before, now) => {
      const calls = recentCalls(before.onboarding.registrationCalls, now)
      return withOnboarding(before, {
        registrationCalls: calls.length < maxRegistrationCalls ? [...calls, now] : calls,
        ...(hasUnshownPin !== undefined && { hasUnshownPin })
      })
    }
  })
  return result
})

/** Fails if the provider has accepted as many registrations of the number as it does in 72 hours. */
export const requireRegistrationCapacity = Effect.fnUntraced(function* ({ onboarding }: ChatAccount) {
  const calls = recentCalls(onboarding.registrationCalls, yield* DateTime.now)
  const [first] = calls
  if (first !== undefined && calls.length >= maxRegistrationCalls) {
    return yield* refuse("too_many_registrations", DateTime.addDuration(first, registrationWindow))
  }
})

/** Returns the account with the generated PIN, which only one answer shows. */
const showPin = Effect.fnUntraced(function* (account: ChatAccount) {
  if (!account.onboarding.hasUnshownPin) return { account, pin: null } satisfies Registered
  const sealed = yield* loadSealedPin(account.id)
  const shown = yield* updateAccount(account.id, {
    change: (before) => withOnboarding(before, { hasUnshownPin: false })
  })
  const pin = sealed === null ? null : yield* openSecret(account.id, "registration_pin", sealed)
  return { account: shown, pin } satisfies Registered
})

/** Stored PIN, or a new one. A stored PIN of an interrupted registration is used again. */
const choosePin = Effect.fnUntraced(function* (id: ChatAccountId, given: Redacted.Redacted | null) {
  const stored = yield* loadSealedPin(id)
  if (given === null && stored !== null) {
    return { pin: yield* openSecret(id, "registration_pin", stored), isNew: false }
  }
  return { pin: given ?? (yield* createPin), isNew: given === null }
})

const saveRegistration = Effect.fnUntraced(function* (
  id: ChatAccountId,
  line: ProviderConnection,
  pin: Redacted.Redacted
) {
  const sealed = yield* sealSecret(id, "registration_pin", pin)
  const { provider } = yield* updateAccount(id, {
    pin: sealed,
    audit: "chat_account.registered",
    change: (before, now) =>
      withOnboarding(
        new ChatAccount({
          ...before,
          status: "connected",
          lastError: null,
          number: { ...(before.number ?? unknownDetails), platform: "cloud_api", status: "connected" }
        }),
        { registeredAt: now, registrationFailure: null }
      )
  })
  const health = yield* Effect.result(fetchNumberHealth(provider, line))
  return yield* updateAccount(id, {
    change: (before, now) =>
      Result.isSuccess(health) && isRegistered(health.success.details)
        ? withHealth(before, health.success, now)
        : before
  })
})

/** Registers a number whose health was just read. A registered number is not registered again. */
export const registerCheckedNumber = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  given: Redacted.Redacted | null
) {
  const { id } = account
  const { register } = yield* channelFor(account, "onboarding")
  if (account.number !== null && isRegistered(account.number)) return yield* showPin(account)
  yield* requireOwnRegistration(account)
  yield* requireRegistrable(account, given !== null)
  yield* requireRegistrationCapacity(account)
  const { isNew, pin } = yield* choosePin(id, given)
  yield* countRegistrationCall(
    account,
    isNew ? { pin: yield* sealSecret(id, "registration_pin", pin), hasUnshownPin: true } : {}
  )
  yield* register(line, pin).pipe(
    Effect.tapErrorTag(
      "OnboardingRefused",
      Effect.fnUntraced(function* (error) {
        const isUseless = given === null && error.reason === "pin_mismatch"
        yield* updateAccount(id, {
          ...(isUseless && { pin: null }),
          change: (before, now) =>
            withOnboarding(before, {
              registrationFailure: toStepFailure(error, now),
              ...(isUseless && { hasUnshownPin: false })
            })
        })
      })
    )
  )
  return yield* showPin(yield* saveRegistration(id, line, pin))
})

/** Reads the number at the provider, and stores its fields. */
export const refreshNumber = Effect.fnUntraced(function* ({ id, provider }: ChatAccount, line: ProviderConnection) {
  const health = yield* fetchNumberHealth(provider, line)
  return yield* updateAccount(id, { change: (before, now) => withHealth(before, health, now) })
})
