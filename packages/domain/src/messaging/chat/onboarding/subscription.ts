import { DateTime, Effect } from "effect"
import { CurrentOrganization } from "../../../kernel/index.ts"
import { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts, ChatNumbers } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { ChatSettings, webhookUrlOf, webhookUrlTest } from "../ChatSettings.ts"
import type { CallbackOverride, NumberOnboarding, ProviderConnection } from "../ProviderConnection.ts"
import type { ChannelUnreachable } from "../errors.ts"
import { openSecret } from "../secrets.ts"
import { unknownDetails, type WebhookUrls } from "./NumberDetails.ts"
import { appIdOf, type OnboardingState } from "./OnboardingState.ts"
import { OnboardingRefused } from "./errors.ts"
import { toStepFailure, updateAccount, withOnboarding } from "./updateAccount.ts"

const callbackUnclear = new OnboardingRefused({
  reason: "callback_unclear",
  providerCode: null,
  providerReason: null,
  retryAt: null
})

/**
 * Subscribes the app, and returns the callback of the business account. An app with an own callback stays as it is, because a new subscription deletes
 * the callback. Fails if the callback can be the one of another app.
 */
const subscribeKeeping = Effect.fnUntraced(function* (
  { readSubscription, subscribe }: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null
) {
  const { callbackUrl } = yield* readSubscription(line, appId)
  if (callbackUrl === null) yield* subscribe(line, null)
  else if (appId === null) return yield* callbackUnclear
  return callbackUrl
})

/** Subscribes the app of a number that is not stored yet. A refusal becomes a failed step. */
export const subscribeFirst = Effect.fnUntraced(function* (
  onboarding: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null
): Effect.fn.Return<Partial<OnboardingState>, ChannelUnreachable> {
  const at = yield* DateTime.now
  return yield* subscribeKeeping(onboarding, line, appId).pipe(
    Effect.map((callbackUrl) => ({ subscribedAt: at, callbackUrl })),
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

/** Addresses of the events. An absent choice keeps the current address, and `false` removes it. */
export interface CallbackChoice {
  readonly overrideCallback?: boolean
  readonly overrideNumberCallback?: boolean
}

/** Subscribes the app with Parley's address. The provider accepts the address only for a subscribed app. */
const subscribeHere = Effect.fnUntraced(function* (
  { readSubscription, subscribe }: NumberOnboarding,
  line: ProviderConnection,
  appId: string | null,
  callback: CallbackOverride
) {
  const { isSubscribed } = yield* readSubscription(line, appId)
  if (!isSubscribed) yield* subscribe(line, null)
  // Without the id of the app, the subscription can be the one of another app.
  yield* Effect.catchIf(
    subscribe(line, callback),
    (error) => error._tag === "OnboardingRefused" && error.reason === "app_not_subscribed",
    () => Effect.andThen(subscribe(line, null), subscribe(line, callback))
  )
  return callback.url
})

/** Subscribes the app as chosen. Returns the callback of the business account. */
const subscribeAsChosen = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  choice: boolean | undefined
) {
  const onboarding = yield* channelFor(account, "onboarding")
  const { platformApp } = yield* ChatSettings
  const appId = appIdOf(account.onboarding) ?? (account.mode === "platform_app" ? (platformApp?.appId ?? null) : null)
  if (choice === undefined) return yield* subscribeKeeping(onboarding, line, appId)
  if (choice) return yield* subscribeHere(onboarding, line, appId, yield* callbackOf(account))
  yield* onboarding.subscribe(line, null)
  return null
})

/** Sets or removes the address of the number. Returns it; an absent one did not change. */
const overrideAsChosen = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  choice: boolean | undefined
) {
  if (choice === undefined) return undefined
  const { overrideNumber } = yield* channelFor(account, "onboarding")
  const callback = choice ? yield* callbackOf(account) : null
  yield* overrideNumber(line, callback)
  return callback?.url ?? null
})

const noUrls: WebhookUrls = { number: null, businessAccount: null, app: null }

const withUrls = (account: ChatAccount, changed: Partial<WebhookUrls>): ChatAccount => {
  const number = account.number ?? unknownDetails
  return new ChatAccount({
    ...account,
    number: { ...number, webhookUrls: { ...(number.webhookUrls ?? noUrls), ...changed } }
  })
}

/** Subscribes the app to the business account of a number, and sets the addresses of its events. */
export const subscribeAccount = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  { overrideCallback, overrideNumberCallback }: CallbackChoice
) {
  const call = Effect.gen(function* () {
    const callbackUrl = yield* subscribeAsChosen(account, line, overrideCallback)
    return { callbackUrl, numberUrl: yield* overrideAsChosen(account, line, overrideNumberCallback) }
  })
  const { callbackUrl, numberUrl } = yield* call.pipe(
    Effect.tapErrorTag("OnboardingRefused", (error) =>
      updateAccount(account.id, {
        change: (before, now) => withOnboarding(before, { subscriptionFailure: toStepFailure(error, now) })
      })
    )
  )
  const urls = { businessAccount: callbackUrl, ...(numberUrl !== undefined && { number: numberUrl }) }
  const auditAfter = { ...(callbackUrl !== null && { callbackUrl }), ...(numberUrl !== undefined && { numberUrl }) }
  return yield* updateAccount(account.id, {
    audit: "chat_account.subscribed",
    ...(Object.keys(auditAfter).length > 0 && { auditAfter }),
    change: (before, subscribedAt) =>
      withOnboarding(withUrls(before, urls), { subscribedAt, callbackUrl, subscriptionFailure: null })
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

/** Ends the deliveries to a removed account. The subscription stays if another number needs it. A failure does not affect the removal. */
export const unsubscribeRemoved = Effect.fnUntraced(
  function* (account: ChatAccount, line: ProviderConnection) {
    const { overrideNumber, unsubscribe } = yield* channelFor(account, "onboarding")
    const isOwn = yield* webhookUrlTest(account)
    const url = account.number?.webhookUrls?.number ?? null
    if (url !== null && isOwn(url)) yield* overrideNumber(line, null)
    if (account.onboarding.subscribedAt === null || (yield* isBusinessInUse(account))) return
    yield* unsubscribe(line)
  },
  (effect) =>
    Effect.catch(effect, (error) =>
      Effect.logWarning(`The provider did not end the subscription of a removed chat account: ${error._tag}`)
    )
)
