import { DateTime, Effect, Option, type Redacted } from "effect"
import { invalid, Locks, nextId, transact, useCase } from "../../../kernel/index.ts"
import { requireCapacity } from "../../../platform/entitlements/index.ts"
import { ChatAccount, ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { toChatAccountView } from "../ChatSettings.ts"
import { openProviderConnection } from "../ProviderConnection.ts"
import { addAccount, checkAccountCapacity, fetchNumberHealth } from "../accountConnecting.ts"
import { withHealth } from "../accountHealth.ts"
import { unknownDetails } from "../onboarding/NumberDetails.ts"
import type { AddedNumber, CodeRequest } from "../onboarding/NumberVerification.ts"
import { appIdOf } from "../onboarding/OnboardingState.ts"
import { prepareNumber } from "../onboarding/preparation.ts"
import { refuseStep, requireOwnRegistration } from "../onboarding/registration.ts"
import { connectedNumberFields } from "../onboarding/tokenCheck.ts"
import { updateAccount, withOnboarding } from "../onboarding/updateAccount.ts"
import { type ChatSecretName, openSecret, sealSecret } from "../secrets.ts"

const manage = { permission: "chat_accounts.manage" } as const

/** Opens the number of an account that is not verified. The provider limits codes, so a verified number is refused before the call. */
const openUnverified = Effect.fnUntraced(function* (id: ChatAccountId) {
  const account = yield* (yield* ChatAccounts).get(id)
  const onboarding = yield* channelFor(account, "onboarding")
  const line = yield* openProviderConnection(account)
  yield* requireOwnRegistration(account)
  const { details } = yield* fetchNumberHealth(account.provider, line)
  if (details.codeVerification === "verified") return yield* refuseStep("number_verified_already")
  return { account, onboarding, line }
})

const defaultLanguage = "en_US"

/** Pause between two codes for a number, because each one reaches a person. */
const codePause = { minutes: 1 } as const

/** Stores the time of the last code of a number. */
const noteCode = (id: ChatAccountId, codeRequestedAt: DateTime.Utc | null) =>
  updateAccount(id, { isNote: true, change: (before) => withOnboarding(before, { codeRequestedAt }) })

/** Counts a code before its call under one lock, so that concurrent requests send one code. Returns the time of the former one. */
const claimCode = Effect.fnUntraced(function* (id: ChatAccountId) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const { onboarding } = yield* (yield* ChatAccounts).get(id)
  const former = onboarding.codeRequestedAt
  const retryAt = former === null ? null : DateTime.addDuration(former, codePause)
  if (retryAt !== null && DateTime.isGreaterThan(retryAt, yield* DateTime.now)) {
    return yield* refuseStep("code_requests_limited", retryAt)
  }
  yield* noteCode(id, yield* DateTime.now)
  return former
}, transact)

/** Requests the code that verifies a number. The provider sends it by SMS or by a call. */
export const requestVerificationCode = useCase(
  {
    name: "chatAccounts.requestCode",
    access: manage,
    audit: "chat_account.code_requested",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    language = defaultLanguage,
    method
  }: { readonly id: ChatAccountId } & CodeRequest) {
    const { line, onboarding } = yield* openUnverified(id)
    const former = yield* claimCode(id)
    // A refused code was not sent. After a lost answer, the pause stays.
    yield* Effect.tapErrorTag(onboarding.requestCode(line, { method, language }), "OnboardingRefused", () =>
      noteCode(id, former)
    )
    const saved = yield* updateAccount(id, {
      audit: "chat_account.code_requested",
      auditAfter: { method, language },
      change: (before) => before
    })
    return yield* toChatAccountView(saved)
  })
)

/** Verifies a number with its code. The number can then be registered. */
export const verifyNumber = useCase(
  {
    name: "chatAccounts.verifyCode",
    access: manage,
    audit: "chat_account.verified",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id, code }: { readonly id: ChatAccountId; readonly code: Redacted.Redacted }) {
    const { account, line, onboarding } = yield* openUnverified(id)
    yield* onboarding.verifyCode(line, code)
    // The code is used, so a failed reading does not fail the verification.
    const health = yield* Effect.option(fetchNumberHealth(account.provider, line))
    const saved = yield* updateAccount(id, {
      audit: "chat_account.verified",
      change: (before, now) => {
        const read = Option.isSome(health) ? withHealth(before, health.value, now) : before
        const number = { ...(read.number ?? unknownDetails), codeVerification: "verified" as const }
        return withOnboarding(new ChatAccount({ ...read, number }), { codeRequestedAt: null })
      }
    })
    return yield* toChatAccountView(saved)
  })
)

/** Copies the secrets of an account for another number of its business account. */
const copySecrets = Effect.fnUntraced(function* (from: ChatAccountId, to: ChatAccountId) {
  const [found] = yield* (yield* ChatAccounts).secrets([from])
  if (found === undefined) return yield* Effect.die(new Error("A chat account has no secrets."))
  const copy = Effect.fnUntraced(function* (name: ChatSecretName, sealed: string) {
    return yield* sealSecret(to, name, yield* openSecret(from, name, sealed))
  })
  const { accessToken, appSecret, formerAppSecret, verifyToken } = found
  return {
    accessToken: yield* copy("access_token", accessToken),
    appSecret: appSecret === null ? null : yield* copy("app_secret", appSecret),
    formerAppSecret:
      formerAppSecret === null
        ? null
        : { sealed: yield* copy("app_secret", formerAppSecret.sealed), until: formerAppSecret.until },
    verifyToken: verifyToken === null ? null : yield* copy("verify_token", verifyToken),
    pin: null,
    pendingPin: null
  } satisfies ChatSecrets
})

/**
 * Adds a phone number to the business account of a connected number, and connects it with the same app. A repetition finds the number that an earlier call
 * has added.
 */
export const addChatNumber = useCase(
  {
    name: "chatAccounts.addNumber",
    access: manage,
    audit: "chat_account.connected",
    emits: ["chat_account.connected"]
  },
  Effect.fnUntraced(function* ({ id, displayName, phone, verifiedName }: { readonly id: ChatAccountId } & AddedNumber) {
    const sister = yield* (yield* ChatAccounts).get(id)
    const { addNumber } = yield* channelFor(sister, "onboarding")
    yield* requireCapacity("chatAccounts")
    const { externalAccountId, messagingAccountId, mode, onboarding, provider } = sister
    const line = yield* openProviderConnection(sister)
    const phoneId = yield* addNumber(line, { phone, verifiedName })
    if (phoneId === null) return yield* invalid("/phone", "The country code of this number is unknown")
    yield* checkAccountCapacity({ provider, externalPhoneId: phoneId })
    const { health, state } = yield* prepareNumber(
      provider,
      { ...line, phoneId },
      appIdOf(onboarding),
      connectedNumberFields
    )
    const account = yield* addAccount(
      yield* nextId(ChatAccountId),
      {
        provider,
        mode,
        displayName: displayName ?? verifiedName.slice(0, 120),
        externalAccountId,
        externalPhoneId: phoneId,
        messagingAccountId,
        url: null,
        onboarding: {
          ...state,
          codeExchangedAt: mode === "platform_app" ? yield* DateTime.now : null,
          isCoexistence: health.details.isOnBusinessApp === true
        }
      },
      health,
      (to) => copySecrets(id, to)
    )
    return yield* toChatAccountView(account)
  })
)
