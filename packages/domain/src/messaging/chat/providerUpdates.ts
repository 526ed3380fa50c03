import { DateTime, Effect, Equal } from "effect"
import { Locks } from "../../kernel/index.ts"
import { ChatAccount, type ChatAccountId, isOfBusiness } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import { businessOf } from "./DailyRecipients.ts"
import { ChatSettings, type PlatformAppSettings } from "./ChatSettings.ts"
import type { InboundEvent } from "./Inbound.ts"
import type { ReportedPayment } from "./InboundContent.ts"
import { saveAccount } from "./accountStatus.ts"
import { appendEvent } from "./events.ts"
import { applyHistoryReports } from "./onboarding/historyProgress.ts"
import { scheduleRestrictionEnd, stopsMessages, withRestrictions } from "./restrictions.ts"

export { applyTemplateUpdates } from "./templates/templateUpdates.ts"

type ProviderUpdate<Kind extends InboundEvent["kind"]> = Extract<InboundEvent, { readonly kind: Kind }>

const businessIdsOf = (updates: ReadonlyArray<{ readonly businessId: string }>) => [
  ...new Set(updates.map(({ businessId }) => businessId))
]

const updateAccounts = Effect.fnUntraced(function* <N extends { readonly businessId: string }>(
  provider: string,
  updates: ReadonlyArray<N>,
  isAbout: (account: ChatAccount, updates: N) => boolean,
  apply: (account: ChatAccount, updates: N) => ChatAccount
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const accounts = yield* (yield* ChatAccounts).findByBusiness(provider, businessIdsOf(updates))
  const updatedAt = yield* DateTime.now
  for (const before of accounts) {
    const after = updates
      .filter((each) => isOfBusiness(before, each.businessId) && isAbout(before, each))
      .reduce(apply, before)
    if (Equal.equals({ ...before }, { ...after })) continue
    const saved = yield* Effect.orDie(saveAccount(before, new ChatAccount({ ...after, updatedAt })))
    yield* scheduleRestrictionEnd(saved)
  }
})

const digits = (phone: string | null) => phone?.replaceAll(/\D/gu, "") ?? null

const isAboutNumber = (account: ChatAccount, displayPhone: string | null, phoneId: string | null) =>
  phoneId === null
    ? displayPhone === null || digits(displayPhone) === digits(account.phone)
    : phoneId === account.externalPhoneId

/** More accounts than an organization can have. */
const allAccounts = { limit: 1_000, after: null }

/** Stores a messaging limit for the other numbers of the portfolio, because the provider limits portfolios. */
const applyPortfolioLimits = Effect.fnUntraced(function* (
  provider: string,
  updates: ReadonlyArray<ProviderUpdate<"number">>
) {
  const limits = updates.flatMap(({ businessId, messagingLimit }) =>
    messagingLimit === null ? [] : [{ businessId, messagingLimit }]
  )
  if (limits.length === 0) return
  const accounts = (yield* (yield* ChatAccounts).list(allAccounts)).filter((each) => each.provider === provider)
  const byPortfolio = new Map(
    limits.flatMap(({ businessId, messagingLimit }) =>
      accounts
        .filter((each) => isOfBusiness(each, businessId))
        .map((each) => [businessOf(each).businessId, messagingLimit] as const)
    )
  )
  const updatedAt = yield* DateTime.now
  for (const before of accounts) {
    const messagingLimit = byPortfolio.get(businessOf(before).businessId) ?? before.messagingLimit
    if (messagingLimit === before.messagingLimit) continue
    yield* Effect.orDie(saveAccount(before, new ChatAccount({ ...before, messagingLimit, updatedAt })))
  }
})

/** Stores the quality and the throughput of numbers, and the messaging limit of their portfolio. */
export const applyNumberUpdates = Effect.fnUntraced(function* (
  provider: string,
  updates: ReadonlyArray<ProviderUpdate<"number">>
) {
  yield* updateAccounts(
    provider,
    updates,
    (account, { displayPhone, phoneId }) => isAboutNumber(account, displayPhone, phoneId),
    (account, { messagingLimit, quality, throughputPerSecond }) =>
      new ChatAccount({
        ...account,
        qualityRating: quality ?? account.qualityRating,
        messagingLimit: messagingLimit ?? account.messagingLimit,
        throughputPerSecond: throughputPerSecond ?? account.throughputPerSecond
      })
  )
  yield* applyPortfolioLimits(provider, updates)
})

/** Applies whether the app has access. Only a loss that the provider has reported ends by its report; a refused token needs another one. */
const withConnection = (
  account: ChatAccount,
  { connection, event, reason }: ProviderUpdate<"account">
): ChatAccount => {
  if (connection === "lost") {
    const detail = reason === null ? event : `${event}: ${reason}`
    return new ChatAccount({ ...account, status: "disconnected", lastError: { code: null, reason: detail } })
  }
  const isReported = account.status === "disconnected" && account.lastError !== null && account.lastError.code === null
  return connection === "restored" && isReported
    ? new ChatAccount({ ...account, status: "connected", lastError: null })
    : account
}

const withSending = (
  account: ChatAccount,
  { event, reason, restrictions = [], sending }: ProviderUpdate<"account">
): ChatAccount => {
  if (account.status === "disconnected") return account
  if (sending === "stopped") {
    const error = { code: null, reason: reason ?? event }
    const lastError = restrictions.some(stopsMessages) ? { ...error, cause: "restriction" as const } : error
    return new ChatAccount({ ...account, status: "degraded", lastError })
  }
  return sending === "restored" && account.status === "degraded"
    ? new ChatAccount({ ...account, status: "connected", lastError: null })
    : account
}

const withAccountUpdate = (account: ChatAccount, update: ProviderUpdate<"account">): ChatAccount =>
  update.restrictions === undefined
    ? withSending(withConnection(account, update), update)
    : withRestrictions(withSending(withConnection(account, update), update), update.restrictions)

/** Whether an event is about the access of another app. The app of an organization is unknown, so each of its events counts. */
const isOfOtherApp = (
  { mode, provider }: ChatAccount,
  { appId }: ProviderUpdate<"account">,
  platformApp: PlatformAppSettings | null
): boolean =>
  appId !== undefined && mode === "platform_app" && platformApp?.provider === provider && platformApp.appId !== appId

/** Events of an account without an effect on it. */
const toNotice = ({ businessId, displayPhone, event, reason }: ProviderUpdate<"account">) => ({
  businessId,
  phoneId: null,
  displayPhone: displayPhone ?? null,
  topic: "account" as const,
  event,
  detail: reason
})

/** Reports information of the provider about accounts. */
export const applyNotices = Effect.fnUntraced(function* (
  provider: string,
  notices: ReadonlyArray<Omit<ProviderUpdate<"notice">, "kind">>
) {
  const accounts = yield* (yield* ChatAccounts).findByBusiness(provider, businessIdsOf(notices))
  for (const { businessId, detail, displayPhone, event, phoneId, topic } of notices) {
    for (const account of accounts) {
      if (!isOfBusiness(account, businessId) || !isAboutNumber(account, displayPhone, phoneId)) continue
      yield* appendEvent({ type: "chat_account.notice", chatAccountId: account.id, topic, event, detail })
    }
  }
  yield* applyHistoryReports(
    accounts,
    notices.flatMap(({ detail, historySync: report, phoneId }) =>
      phoneId === null || report === undefined ? [] : [{ phoneId, report, detail }]
    )
  )
})

/** Reports a payment of an order outside of conversations, such as an order of a broadcast. */
export const reportPayment = (chatAccountId: ChatAccountId, { referenceId, status }: ReportedPayment) =>
  appendEvent({ type: "chat_account.notice", chatAccountId, topic: "payment", event: status, detail: referenceId })

/** Stores whether the app has access to business accounts, whether these can send, and their restrictions. */
export const applyAccountUpdates = Effect.fnUntraced(function* (
  provider: string,
  updates: ReadonlyArray<ProviderUpdate<"account">>
) {
  const { platformApp } = yield* ChatSettings
  const hasEffect = ({ connection, restrictions, sending }: ProviderUpdate<"account">) =>
    sending !== null || connection !== undefined || restrictions !== undefined
  yield* updateAccounts(
    provider,
    updates,
    (account, update) =>
      hasEffect(update) &&
      isAboutNumber(account, update.displayPhone ?? null, null) &&
      !isOfOtherApp(account, update, platformApp),
    withAccountUpdate
  )
  yield* applyNotices(provider, updates.filter((update) => !hasEffect(update)).map(toNotice))
})
