import { DateTime, Effect, Option, type Redacted } from "effect"
import { invalid, Locks, transact, Vault } from "../../../kernel/index.ts"
import { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import type { NumberHealth, ProviderConnection } from "../ProviderConnection.ts"
import { fetchNumberHealth } from "../accountConnecting.ts"
import { withHealth } from "../accountHealth.ts"
import { openSecret, sealSecret } from "../secrets.ts"
import { isRegistered, type NumberDetails, unknownDetails } from "./NumberDetails.ts"
import { maxRegistrationCalls, recentCalls, registrationWindow } from "./checklist.ts"
import { OnboardingRefused, type OnboardingReason } from "./errors.ts"
import { choosePin, type ChosenPin, hasStoredPin, keepRefusedPin } from "./storedPins.ts"
import { loadSealedPins, toStepFailure, updateAccount, withOnboarding } from "./updateAccount.ts"

/** Account after a step, with its PIN if this answer shows it. */
export interface Registered {
  readonly account: ChatAccount
  readonly pin: Redacted.Redacted | null
}

/** Refusal of a step before its call. */
export const refuseStep = (reason: OnboardingReason, retryAt: DateTime.Utc | null = null) =>
  new OnboardingRefused({ reason, providerCode: null, providerReason: null, retryAt })

/** Fails for a number of the provider's business app, which has no registration of its own. */
export const requireOwnRegistration = Effect.fnUntraced(function* ({ number, onboarding }: ChatAccount) {
  if (onboarding.isCoexistence || number?.isOnBusinessApp === true) return yield* refuseStep("coexistence_number")
})

/** Whether a new PIN would be refused: the number has another one, which neither the request nor the account contains. */
const isPinMissing = ({ number, onboarding }: ChatAccount): boolean =>
  number?.isPinEnabled ?? onboarding.registrationFailure?.reason === "pin_mismatch"

/** Fails if the provider would refuse another registration of the number, because each attempt counts. */
const requireRegistrable = Effect.fnUntraced(function* (account: ChatAccount, hasPin: boolean) {
  const { codeVerification, nameStatus } = account.number ?? unknownDetails
  if (codeVerification === "not_verified" || codeVerification === "expired")
    return yield* refuseStep("number_not_verified")
  if (nameStatus === "expired" || nameStatus === "none") return yield* refuseStep("display_name_unusable")
  if (hasPin || (!account.onboarding.isPinRefused && (yield* hasStoredPin(account.id)))) return
  if (isPinMissing(account)) return yield* refuseStep("pin_mismatch")
})

/** Counts a call that the provider limits, before it is made. A new PIN is stored with it, for a crash after the call. */
export const countRegistrationCall = Effect.fnUntraced(function* ({ id }: ChatAccount, newPin: string | null) {
  yield* updateAccount(id, {
    isNote: true,
    ...(newPin !== null && { pins: { pin: newPin } }),
    change: (before, now) =>
      withOnboarding(before, {
        registrationCalls: [...recentCalls(before.onboarding.registrationCalls, now), now],
        ...(newPin !== null && { hasUnshownPin: true })
      })
  })
})

/** Fails if the provider has accepted as many registrations of the number as it does in 72 hours. */
export const requireRegistrationCapacity = Effect.fnUntraced(function* ({ onboarding }: ChatAccount) {
  const calls = recentCalls(onboarding.registrationCalls, yield* DateTime.now)
  const [first] = calls
  if (first !== undefined && calls.length >= maxRegistrationCalls) {
    return yield* refuseStep("too_many_registrations", DateTime.addDuration(first, registrationWindow))
  }
})

/** Counts a registration and stores its PIN under one lock, so that concurrent registrations use the same PIN. */
const claimRegistration = Effect.fnUntraced(function* (
  { id }: ChatAccount,
  given: Redacted.Redacted | null,
  refused: string | null
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const current = yield* (yield* ChatAccounts).get(id)
  yield* requireRegistrationCapacity(current)
  const chosen = yield* choosePin(id, given, refused)
  yield* countRegistrationCall(current, chosen.isNew ? chosen.sealed : null)
  return chosen
}, transact)

/** Completes an earlier registration, whose answer may have been lost. Shows its PIN if no answer has. */
const completeRegistration = Effect.fnUntraced(function* (account: ChatAccount, health: NumberHealth | null) {
  const { id, onboarding } = account
  if (health === null && !onboarding.hasUnshownPin) return { account, pin: null } satisfies Registered
  const sealed = onboarding.hasUnshownPin ? (yield* loadSealedPins(id)).pin : null
  const saved = yield* updateAccount(id, {
    audit: "chat_account.registered",
    change: (before, now) =>
      withOnboarding(health === null ? before : withHealth(before, health, now), { hasUnshownPin: false })
  })
  const pin = sealed === null ? null : yield* openSecret(id, "registration_pin", sealed)
  return { account: saved, pin } satisfies Registered
})

/** Reads the number after its registration. The provider can report the registration late. */
const readRegistered = Effect.fnUntraced(function* ({ provider }: ChatAccount, line: ProviderConnection) {
  const health = yield* Effect.option(fetchNumberHealth(provider, line))
  return Option.filter(health, ({ details }) => isRegistered(details))
})

const withRegisteredNumber = (before: ChatAccount) =>
  new ChatAccount({
    ...before,
    status: "connected",
    lastError: null,
    number: { ...(before.number ?? unknownDetails), platform: "cloud_api", status: "connected" }
  })

const saveRegistration = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  pin: Redacted.Redacted
) {
  const { id } = account
  const health = yield* readRegistered(account, line)
  const sealed = yield* sealSecret(id, "registration_pin", pin)
  return yield* updateAccount(id, {
    pins: { pin: sealed, pendingPin: null },
    audit: "chat_account.registered",
    change: (before, now) =>
      withOnboarding(Option.isSome(health) ? withHealth(before, health.value, now) : withRegisteredNumber(before), {
        registeredAt: now,
        registrationFailure: null,
        hasUnshownPin: false,
        isPinRefused: false
      })
  })
})

/** Stores a refusal with the health that was read before it. */
const saveRefusal = (account: ChatAccount, health: NumberHealth | null) =>
  Effect.fnUntraced(function* (error: OnboardingRefused) {
    const isOfProvider = error.providerCode !== null || error.reason === "too_many_registrations"
    const isFirstMismatch =
      error.reason === "pin_mismatch" && account.onboarding.registrationFailure?.reason !== "pin_mismatch"
    yield* updateAccount(account.id, {
      change: (before, now) =>
        withOnboarding(health === null ? before : withHealth(before, health, now), {
          ...((isOfProvider || isFirstMismatch) && { registrationFailure: toStepFailure(error, now) })
        })
    })
  })

/** Error code for a registration with an invalid certificate. */
const invalidCertificate = 131_045

/** Whether only another registration helps: for a new display name, and after an invalid certificate. */
const needsRegistration = ({ lastError, number }: Pick<ChatAccount, "lastError" | "number">): boolean =>
  number === null ||
  !isRegistered(number) ||
  number.newNameStatus === "approved" ||
  lastError?.code === invalidCertificate

/** Fails for a PIN that a registration would not use, because the number is registered with another one. */
export const requireUsedPin = Effect.fnUntraced(function* (
  { id, lastError }: ChatAccount,
  number: NumberDetails,
  pin: Redacted.Redacted
) {
  if (needsRegistration({ number, lastError })) return
  const { pin: sealed } = yield* loadSealedPins(id)
  if (sealed !== null) {
    const { digest } = yield* Vault
    // Compares digests, because the duration then reveals nothing about the PIN.
    if ((yield* digest(yield* openSecret(id, "registration_pin", sealed))) === (yield* digest(pin))) return
  }
  return yield* invalid("/pin", "The number is already registered. Change its PIN with POST /chat_accounts/:id/pin")
})

/**
 * Registers a number. A registered number is not registered again, unless its name or its certificate requires it. `health` was read for this
 * registration; `null` if the account contains it.
 */
export const registerNumber = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  given: Redacted.Redacted | null,
  health: NumberHealth | null
) {
  const { id } = account
  const { register } = yield* channelFor(account, "onboarding")
  const checked = health === null ? account : withHealth(account, health, yield* DateTime.now)
  if (!needsRegistration({ number: checked.number, lastError: account.lastError })) {
    return yield* completeRegistration(account, health)
  }
  const attempt = (
    refused: string | null
  ): Effect.Effect<
    { readonly chosen: ChosenPin; readonly isShown: boolean },
    Effect.Error<ReturnType<typeof claimRegistration> | ReturnType<typeof register>>,
    Effect.Services<ReturnType<typeof claimRegistration>>
  > =>
    Effect.gen(function* () {
      const chosen = yield* claimRegistration(account, given, refused)
      const { alternative, isNew, isPending, pin, sealed } = chosen
      const isShown = isNew || isPending || (given === null && account.onboarding.hasUnshownPin)
      return yield* register(line, pin).pipe(
        Effect.as({ chosen, isShown }),
        Effect.catchTag(
          "OnboardingRefused",
          Effect.fnUntraced(function* (error) {
            if (error.reason === "pin_mismatch") yield* keepRefusedPin(id, chosen)
            // A change of the PIN with an unknown result can have taken effect.
            return yield* error.reason === "pin_mismatch" && alternative ? attempt(sealed) : Effect.fail(error)
          })
        )
      )
    })
  const call = Effect.gen(function* () {
    yield* requireOwnRegistration(checked)
    yield* requireRegistrable(checked, given !== null)
    return yield* attempt(null)
  })
  const {
    chosen: { pin },
    isShown
  } = yield* Effect.tapErrorTag(call, "OnboardingRefused", saveRefusal(account, health))
  return { account: yield* saveRegistration(account, line, pin), pin: isShown ? pin : null } satisfies Registered
})
