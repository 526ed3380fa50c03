import { DateTime, Effect, Equal } from "effect"
import { Locks } from "../../kernel/index.ts"
import { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import type { InboundEvent } from "./Inbound.ts"
import { MessageTemplate } from "./MessageTemplate.ts"
import { MessageTemplates, saveTemplate } from "./MessageTemplates.ts"
import { saveAccount } from "./accountStatus.ts"
import { appendEvent } from "./events.ts"
import { requestTemplateSync } from "./templates/templateSyncTask.ts"

type ProviderUpdate<Kind extends InboundEvent["kind"]> = Extract<InboundEvent, { readonly kind: Kind }>

const businessIdsOf = (updates: ReadonlyArray<{ readonly businessId: string }>) => [
  ...new Set(updates.map(({ businessId }) => businessId))
]

const withTemplateUpdate = (before: MessageTemplate, updates: ProviderUpdate<"template">) =>
  new MessageTemplate({
    ...before,
    status: updates.status ?? before.status,
    rejectionReason:
      updates.status === null ? before.rejectionReason : updates.status === "rejected" ? updates.reason : null,
    quality: updates.quality ?? before.quality,
    category: updates.category ?? before.category,
    externalId: before.externalId ?? updates.externalId
  })

/** Whether only the components have changed. Then the template must be fetched. */
const isComponentsUpdate = ({ hasNewComponents }: ProviderUpdate<"template">) => hasNewComponents === true

const isUpdateFor = (template: MessageTemplate, { externalId, language, name }: ProviderUpdate<"template">) =>
  template.externalId === externalId || (template.name === name && template.language === language)

/** Stores the provider's decisions about templates. Updates of unknown templates are ignored. */
export const applyTemplateUpdates = Effect.fnUntraced(function* (
  provider: string,
  updates: ReadonlyArray<ProviderUpdate<"template">>
) {
  yield* (yield* Locks).exclusive("message_templates")
  const accounts = yield* (yield* ChatAccounts).findByBusiness(provider, businessIdsOf(updates))
  const templates = yield* (yield* MessageTemplates).ofAccounts(accounts.map(({ id }) => id))
  const businesses = new Map(accounts.map(({ externalAccountId, id }) => [id, externalAccountId]))
  const changed = new Set(businessIdsOf(updates.filter(isComponentsUpdate)))
  yield* requestTemplateSync(
    accounts.flatMap(({ externalAccountId, id }) => (changed.has(externalAccountId) ? [id] : []))
  )
  const updatedAt = yield* DateTime.now
  for (const before of templates) {
    // A draft was never submitted. The update is about a deleted template with the same name.
    if (before.status === "draft") continue
    const after = updates
      .filter((each) => each.businessId === businesses.get(before.chatAccountId) && isUpdateFor(before, each))
      .reduce(withTemplateUpdate, before)
    if (Equal.equals({ ...before }, { ...after })) continue
    yield* Effect.orDie(saveTemplate(before, new MessageTemplate({ ...after, updatedAt })))
  }
})

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
      .filter((each) => each.businessId === before.externalAccountId && isAbout(before, each))
      .reduce(apply, before)
    if (Equal.equals({ ...before }, { ...after })) continue
    yield* Effect.orDie(saveAccount(before, new ChatAccount({ ...after, updatedAt })))
  }
})

const digits = (phone: string | null) => phone?.replaceAll(/\D/gu, "") ?? null

const isAboutNumber = (account: ChatAccount, displayPhone: string | null, phoneId: string | null) =>
  phoneId === null
    ? displayPhone === null || digits(displayPhone) === digits(account.phone)
    : phoneId === account.externalPhoneId

/** Stores the quality, the messaging limit and the throughput of numbers. */
export const applyNumberUpdates = (provider: string, updates: ReadonlyArray<ProviderUpdate<"number">>) =>
  updateAccounts(
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

/** Applies whether the app has access. Only a loss that the provider has reported ends by its report; a refused token needs another one. */
const withConnection = (
  account: ChatAccount,
  { connection, event, reason }: ProviderUpdate<"account">
): ChatAccount => {
  if (connection === "lost") {
    const told = reason === null ? event : `${event}: ${reason}`
    return new ChatAccount({ ...account, status: "disconnected", lastError: { code: null, reason: told } })
  }
  const isReported = account.status === "disconnected" && account.lastError !== null && account.lastError.code === null
  return connection === "restored" && isReported
    ? new ChatAccount({ ...account, status: "connected", lastError: null })
    : account
}

const withSending = (account: ChatAccount, { event, reason, sending }: ProviderUpdate<"account">): ChatAccount => {
  if (account.status === "disconnected") return account
  if (sending === "stopped") {
    return new ChatAccount({ ...account, status: "degraded", lastError: { code: null, reason: reason ?? event } })
  }
  return sending === "restored" && account.status === "degraded"
    ? new ChatAccount({ ...account, status: "connected", lastError: null })
    : account
}

const withAccountUpdate = (account: ChatAccount, update: ProviderUpdate<"account">): ChatAccount => {
  const { restrictions = account.restrictions } = update
  return new ChatAccount({ ...withSending(withConnection(account, update), update), restrictions })
}

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
      if (account.externalAccountId !== businessId || !isAboutNumber(account, displayPhone, phoneId)) continue
      yield* appendEvent({ type: "chat_account.notice", chatAccountId: account.id, topic, event, detail })
    }
  }
})

/** Stores whether the app has access to business accounts, whether these can send, and their restrictions. */
export const applyAccountUpdates = Effect.fnUntraced(function* (
  provider: string,
  updates: ReadonlyArray<ProviderUpdate<"account">>
) {
  const hasEffect = ({ connection, restrictions, sending }: ProviderUpdate<"account">) =>
    sending !== null || connection !== undefined || restrictions !== undefined
  yield* updateAccounts(
    provider,
    updates,
    (account, update) => hasEffect(update) && isAboutNumber(account, update.displayPhone ?? null, null),
    withAccountUpdate
  )
  yield* applyNotices(provider, updates.filter((update) => !hasEffect(update)).map(toNotice))
})
