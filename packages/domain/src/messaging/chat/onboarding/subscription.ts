import { DateTime, Effect } from "effect"
import { CurrentOrganization } from "../../../kernel/index.ts"
import type { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts, ChatNumbers } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { ChatSettings, webhookUrlOf } from "../ChatSettings.ts"
import type { CallbackOverride, NumberOnboarding, ProviderConnection } from "../ProviderConnection.ts"
import type { ChannelUnreachable } from "../errors.ts"
import { openSecret } from "../secrets.ts"
import type { OnboardingState } from "./OnboardingState.ts"
import { OnboardingRefused } from "./errors.ts"
import { toStepFailure, updateAccount, withOnboarding } from "./updateAccount.ts"

/**
 * Subscribes the app of a number that is not stored yet. A refusal becomes a failed step. An app with an own callback for the business account stays as
 * it is, because another number can need the callback, and a new subscription deletes it.
 */
export const subscribeFirst = Effect.fnUntraced(function* (
  onboarding: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null
): Effect.fn.Return<Partial<OnboardingState>, ChannelUnreachable> {
  const at = yield* DateTime.now
  return yield* Effect.gen(function* () {
    // Without the id of the app, the callback can be the one of another app.
    const callbackUrl = appId === null ? null : (yield* onboarding.readSubscription(line, appId)).callbackUrl
    if (callbackUrl === null) yield* onboarding.subscribe(line, null)
    return { subscribedAt: at, callbackUrl }
  }).pipe(
    Effect.catchTag("OnboardingRefused", (error) => Effect.succeed({ subscriptionFailure: toStepFailure(error, at) }))
  )
})

const verifyTokenOf = Effect.fnUntraced(function* ({ id, mode }: ChatAccount) {
  const { platformApp } = yield* ChatSettings
  if (mode === "platform_app") return platformApp?.verifyToken ?? null
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  const sealed = secrets?.verifyToken ?? null
  return sealed === null ? null : yield* openSecret(id, "verify_token", sealed)
})

/** Longest callback URL that the provider accepts. */
const maxCallbackUrl = 200

const callbackOf = Effect.fnUntraced(function* (account: ChatAccount) {
  const url = yield* webhookUrlOf(account)
  const verifyToken = yield* verifyTokenOf(account)
  if (verifyToken !== null && url.length <= maxCallbackUrl) return { url, verifyToken } satisfies CallbackOverride
  return yield* new OnboardingRefused({
    reason: "callback_refused",
    providerCode: null,
    providerReason: `The webhook URL has ${url.length} characters.`,
    retryAt: null
  })
})

/**
 * Subscribes the app to the business account of a number. The provider accepts another callback only for a subscribed app, and a subscription without
 * one deletes it.
 */
export const subscribeAccount = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  overrideCallback: boolean
) {
  const { subscribe } = yield* channelFor(account, "onboarding")
  const call = Effect.gen(function* () {
    yield* subscribe(line, null)
    if (!overrideCallback) return null
    const callback = yield* callbackOf(account)
    yield* subscribe(line, callback)
    return callback.url
  })
  const callbackUrl = yield* call.pipe(
    Effect.tapErrorTag("OnboardingRefused", (error) =>
      updateAccount(account.id, {
        change: (before, now) => withOnboarding(before, { subscriptionFailure: toStepFailure(error, now) })
      })
    )
  )
  return yield* updateAccount(account.id, {
    audit: "chat_account.subscribed",
    ...(callbackUrl !== null && { auditAfter: { callbackUrl } }),
    change: (before, subscribedAt) => withOnboarding(before, { subscribedAt, callbackUrl, subscriptionFailure: null })
  })
})

/** Whether another connected number needs the subscription of this business account. */
const isBusinessInUse = Effect.fnUntraced(function* ({
  externalAccountId,
  externalPhoneId,
  mode,
  provider
}: ChatAccount) {
  const own = yield* (yield* ChatAccounts).findByBusiness(provider, [externalAccountId])
  if (own.some((each) => each.mode === mode)) return true
  if (mode === "own_app") return false
  const { id } = yield* CurrentOrganization
  const owners = yield* (yield* ChatNumbers).ownersOf(provider, [{ businessId: externalAccountId, phoneId: null }])
  return owners.some((owner) => owner.organizationId !== id || owner.phoneId !== externalPhoneId)
})

/** Ends the subscription of a removed account, unless another number needs it. A failure does not affect the removal. */
export const unsubscribeRemoved = Effect.fnUntraced(
  function* (account: ChatAccount, line: ProviderConnection) {
    if (account.onboarding.subscribedAt === null || (yield* isBusinessInUse(account))) return
    const { unsubscribe } = yield* channelFor(account, "onboarding")
    yield* unsubscribe(line)
  },
  (effect) =>
    Effect.catch(effect, (error) =>
      Effect.logWarning(`The provider did not end the subscription of a removed chat account: ${error._tag}`)
    )
)
