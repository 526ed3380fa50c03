import { DateTime, Effect, type Redacted } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { ChatAccount, type ChatAccountId, ChatAccountView } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { toChatAccountView, webhookUrlTest } from "../ChatSettings.ts"
import { openProviderConnection } from "../ProviderConnection.ts"
import { fetchNumberHealth } from "../accountConnecting.ts"
import type { ChannelUnreachable } from "../errors.ts"
import { isRegistered, unknownDetails } from "../onboarding/NumberDetails.ts"
import { appIdOf } from "../onboarding/OnboardingState.ts"
import { toOnboardingChecklist } from "../onboarding/checklist.ts"
import type { OnboardingRefused } from "../onboarding/errors.ts"
import {
  countRegistrationCall,
  type Registered,
  refuseStep,
  registerNumber,
  requireOwnRegistration,
  requireRegistrationCapacity,
  requireUsedPin
} from "../onboarding/registration.ts"
import { shownPin } from "../onboarding/shownPin.ts"
import { claimPendingPin, forgetPendingPin } from "../onboarding/storedPins.ts"
import { type CallbackChoice, subscribeAccount } from "../onboarding/subscription.ts"
import { requestSyncs } from "../onboarding/syncing.ts"
import { updateAccount, withOnboarding } from "../onboarding/updateAccount.ts"
import { sealSecret } from "../secrets.ts"

const manage = { permission: "chat_accounts.manage" } as const

const open = Effect.fnUntraced(function* (id: ChatAccountId) {
  const account = yield* (yield* ChatAccounts).get(id)
  const onboarding = yield* channelFor(account, "onboarding")
  return { account, onboarding, line: yield* openProviderConnection(account) }
})

const toView = Effect.fnUntraced(function* ({ account, pin }: Registered) {
  return new ChatAccountView({ ...(yield* toChatAccountView(account)), registrationPin: shownPin(pin) })
})

/** Reads the steps from the signup of a number to its first message, as they were found at the last check. */
export const getOnboarding = useCase(
  { name: "chatAccounts.onboarding", access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: ChatAccountId }) {
    const account = yield* (yield* ChatAccounts).get(id)
    const { pageOf, requiredScopes } = yield* channelFor(account, "onboarding")
    const { externalAccountId: businessId, onboarding } = account
    const subject = { businessId, appId: appIdOf(onboarding) }
    return toOnboardingChecklist(account, {
      now: yield* DateTime.now,
      pageOf: (step) => pageOf(step, subject),
      requiredScopes,
      isWebhookUrl: yield* webhookUrlTest(account)
    })
  })
)

/** Registration of a number, with the PIN if it already has one. */
export interface Registration {
  readonly pin?: Redacted.Redacted
}

/**
 * Registers a number for sending. It reads the number first, because the provider limits registrations. A number of the business app is synchronized
 * instead.
 */
export const registerChatAccount = useCase(
  {
    name: "chatAccounts.register",
    access: manage,
    audit: "chat_account.registered",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id, pin }: { readonly id: ChatAccountId } & Registration) {
    const { account, line } = yield* open(id)
    const health = yield* fetchNumberHealth(account.provider, line)
    if (account.onboarding.isCoexistence || health.details.isOnBusinessApp === true) {
      return yield* toView({ account: yield* requestSyncs(account, line), pin: null })
    }
    if (pin !== undefined) yield* requireUsedPin(account, health.details, pin)
    return yield* toView(yield* registerNumber(account, line, pin ?? null, health))
  })
)

/** Ends the registration of a number. It stays at the provider and can be registered again. */
export const deregisterChatAccount = useCase(
  {
    name: "chatAccounts.deregister",
    access: manage,
    audit: "chat_account.deregistered",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: ChatAccountId }) {
    const { account, line, onboarding } = yield* open(id)
    yield* requireOwnRegistration(account)
    if (account.number !== null && !isRegistered(account.number)) return yield* refuseStep("not_registered")
    yield* requireRegistrationCapacity(account)
    yield* countRegistrationCall(account, null)
    yield* onboarding.deregister(line)
    const saved = yield* updateAccount(id, {
      audit: "chat_account.deregistered",
      change: (before) =>
        withOnboarding(
          new ChatAccount({
            ...before,
            status: "degraded",
            lastError: { code: null, reason: "The number is not registered." },
            number: {
              ...(before.number ?? unknownDetails),
              platform: "not_applicable",
              status: "disconnected",
              canSend: "blocked"
            }
          }),
          { registeredAt: null, registrationFailure: null }
        )
    })
    return yield* toChatAccountView(saved)
  })
)

/** Creates the PIN of a change and stores it before the call, so that a lost answer does not lose the PIN. */
const changeToNewPin = Effect.fnUntraced(function* (
  id: ChatAccountId,
  changeTo: (pin: Redacted.Redacted) => Effect.Effect<void, ChannelUnreachable | OnboardingRefused>
) {
  const { isNew, pin, sealed } = yield* claimPendingPin(id)
  // An earlier call with the same PIN can have been accepted.
  yield* Effect.tapErrorTag(changeTo(pin), "OnboardingRefused", ({ reason }) =>
    isNew && reason !== "provider_unavailable" ? forgetPendingPin(id, sealed) : Effect.void
  )
  return pin
})

/**
 * Changes the PIN of a registered number. Without a PIN, Parley creates one and shows it once. A refused change leaves the former PIN in use.
 */
export const changeRegistrationPin = useCase(
  {
    name: "chatAccounts.changePin",
    access: manage,
    audit: "chat_account.pin_changed",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id, pin }: { readonly id: ChatAccountId } & Registration) {
    const { account, line, onboarding } = yield* open(id)
    yield* requireOwnRegistration(account)
    const changeTo = (chosen: Redacted.Redacted) => onboarding.changePin(line, chosen)
    const chosen = pin ?? (yield* changeToNewPin(id, changeTo))
    if (pin !== undefined) yield* changeTo(pin)
    const saved = yield* updateAccount(id, {
      audit: "chat_account.pin_changed",
      pins: { pin: yield* sealSecret(id, "registration_pin", chosen), pendingPin: null },
      change: (before) => withOnboarding(before, { hasUnshownPin: false, isPinRefused: false })
    })
    return yield* toView({ account: saved, pin: pin === undefined ? chosen : null })
  })
)

/** Subscribes the app to the events of the number's business account. Without a choice, the addresses of the events stay. */
export const subscribeChatAccount = useCase(
  {
    name: "chatAccounts.subscribe",
    access: manage,
    audit: "chat_account.subscribed",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id, ...choice }: { readonly id: ChatAccountId } & CallbackChoice) {
    const { account, line } = yield* open(id)
    return yield* toChatAccountView(yield* subscribeAccount(account, line, choice))
  })
)
