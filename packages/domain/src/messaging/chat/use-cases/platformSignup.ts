import { DateTime, Effect, type Redacted, Schedule } from "effect"
import { invalid, nextId, useCase } from "../../../kernel/index.ts"
import { type ChatAccount, ChatAccountId, ChatAccountView, type NewPlatformNumber } from "../ChatAccount.ts"
import { channelFor } from "../ChatChannels.ts"
import { ChatSettings, type PlatformAppSettings, toChatAccountView } from "../ChatSettings.ts"
import type { NumberHealth, NumberSignup, ProviderConnection } from "../ProviderConnection.ts"
import { addAccount, type ConnectionInput } from "../accountConnecting.ts"
import { PlatformAppNotConfigured, SignupInterrupted } from "../errors.ts"
import { SignupCancelled, SignupNumberMissing } from "../onboarding/errors.ts"
import { overrideIfRequested, prepareNumber, readAgain } from "../onboarding/preparation.ts"
import { type Registered, registerNumber } from "../onboarding/registration.ts"
import { findRenewable, renewAccount } from "../onboarding/renewal.ts"
import { requestSyncs } from "../onboarding/syncing.ts"
import { type ConnectionFields, newNumberFields } from "../onboarding/tokenCheck.ts"
import { shownPin } from "../onboarding/shownPin.ts"
import { sealSecret } from "../secrets.ts"

/** Signup with its ids, from the request or from its session event. */
interface Signup {
  readonly code: Redacted.Redacted
  readonly externalAccountId: string
  readonly externalPhoneId: string | null
  readonly messagingAccountId: string | null
  readonly isCoexistence: boolean
}

/** Reads the signup of a request. A cancelled one fails before its code is used. */
const readSignup = Effect.fnUntraced(function* (input: NewPlatformNumber, { readSession }: NumberSignup) {
  if (!("session" in input)) {
    const { code, coexistence = false, externalAccountId, externalPhoneId, messagingAccountId = null } = input
    return { code, externalAccountId, externalPhoneId, messagingAccountId, isCoexistence: coexistence } satisfies Signup
  }
  const result = readSession(input.session)
  if (result.kind === "invalid") return yield* invalid(`/session${result.pointer}`, result.message)
  if (result.kind === "cancelled") {
    const { errorId, shownError, step } = result
    return yield* new SignupCancelled({ step, shownError, errorId })
  }
  if (input.code === undefined) return yield* invalid("/code", "Expected the code of the finished signup")
  return {
    code: input.code,
    externalAccountId: result.externalAccountId,
    externalPhoneId: result.externalPhoneId ?? input.externalPhoneId ?? null,
    messagingAccountId: null,
    isCoexistence: result.isCoexistence
  } satisfies Signup
})

const fieldsOf = (input: NewPlatformNumber): ConnectionFields => ({
  ...newNumberFields,
  token: "/code",
  ...("session" in input && { number: "/session", businessAccount: "/session", messagingAccount: "/session" })
})

/** Retries, because the code is consumed: a short outage of the provider must not lose the signup. */
const withRetries = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    schedule: Schedule.exponential("200 millis"),
    times: 3,
    while: ({ _tag }) => _tag === "ChannelUnreachable"
  })

/** Returns the number of the signup. Without one, the only number of the business account. */
const findNumber = Effect.fnUntraced(function* (
  app: PlatformAppSettings,
  { externalPhoneId }: Signup,
  line: Omit<ProviderConnection, "phoneId">
) {
  if (externalPhoneId !== null) return externalPhoneId
  const { listNumbers } = yield* channelFor(app, "onboarding")
  const externalPhoneIds = yield* listNumbers({ ...line, phoneId: line.businessId })
  const [only] = externalPhoneIds
  if (only === undefined || externalPhoneIds.length > 1) return yield* new SignupNumberMissing({ externalPhoneIds })
  yield* findRenewable(app.provider, only)
  return only
})

/** Makes the connected number ready to send. A refusal is a failed step of its checklist, because the number stays connected. */
const completeOnboarding = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  pin: Redacted.Redacted | null
) {
  if (account.onboarding.isCoexistence) {
    return { account: yield* requestSyncs(account, line), pin: null } satisfies Registered
  }
  return yield* registerNumber(account, line, pin, null)
})

/** Adds the number of a signup, or renews its account. */
const storeSignup = Effect.fnUntraced(function* (
  connecting: ConnectionInput,
  health: NumberHealth,
  accessToken: Redacted.Redacted
) {
  const known = yield* findRenewable(connecting.provider, connecting.externalPhoneId)
  const add = addAccount(
    yield* nextId(ChatAccountId),
    connecting,
    health,
    Effect.fnUntraced(function* (id) {
      return {
        accessToken: yield* sealSecret(id, "access_token", accessToken),
        appSecret: null,
        formerAppSecret: null,
        verifyToken: null,
        pin: null,
        pendingPin: null
      }
    })
  )
  if (known === null) return yield* add
  // The account can be removed concurrently.
  return yield* Effect.catchTag(renewAccount(known, connecting, health, accessToken), "NotFound", () => add)
})

/**
 * Connects a number through the platform app with the code of its signup, and registers it. A repeated signup renews the access of its account. A code is valid once. The PIN of a registered number is in
 * this answer only.
 */
export const connectThroughPlatformApp = useCase(
  {
    name: "chatAccounts.signUp",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.connected",
    emits: ["chat_account.connected"]
  },
  Effect.fnUntraced(function* (input: NewPlatformNumber) {
    const { platformApp } = yield* ChatSettings
    if (platformApp === null) return yield* new PlatformAppNotConfigured()
    const { provider } = platformApp
    const signup = yield* channelFor(platformApp, "signup")
    const read = yield* readSignup(input, signup)
    const { externalAccountId } = read
    // The provider accepts the code once, so all checks without it run before.
    if (read.externalPhoneId !== null) yield* findRenewable(provider, read.externalPhoneId)
    const accessToken = yield* signup.exchangeCode(read.code)
    const codeExchangedAt = yield* DateTime.now
    const { line, prepared } = yield* Effect.gen(function* () {
      const connection = { accessToken, businessId: externalAccountId }
      const phoneId = yield* findNumber(platformApp, read, connection).pipe(withRetries)
      const line: ProviderConnection = {
        ...connection,
        phoneId,
        ...(read.messagingAccountId !== null && { messagingAccountId: read.messagingAccountId })
      }
      return {
        line,
        prepared: yield* prepareNumber(provider, line, platformApp.appId, fieldsOf(input)).pipe(withRetries)
      }
    }).pipe(Effect.catchTag("ChannelUnreachable", () => new SignupInterrupted()))
    const { health, state } = prepared
    const connecting: ConnectionInput = {
      provider,
      mode: "platform_app",
      displayName: input.displayName,
      externalAccountId,
      externalPhoneId: line.phoneId,
      messagingAccountId: read.messagingAccountId,
      url: null,
      onboarding: {
        ...state,
        codeExchangedAt,
        isCoexistence: read.isCoexistence || health.details.isOnBusinessApp === true
      }
    }
    const added = yield* storeSignup(connecting, health, accessToken)
    const routed = yield* overrideIfRequested(added, line, input.overrideCallback)
    const { account, pin } = yield* completeOnboarding(routed, line, input.pin ?? null).pipe(
      Effect.catchTag(["OnboardingRefused", "ChannelUnreachable", "NotFound"], () =>
        Effect.map(readAgain(added), (current): Registered => ({ account: current, pin: null }))
      )
    )
    return new ChatAccountView({ ...(yield* toChatAccountView(account)), registrationPin: shownPin(pin) })
  })
)
