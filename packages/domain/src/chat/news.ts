import { DateTime, Effect, Equal } from "effect"
import { Locks } from "../kernel/index.ts"
import { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import type { InboundEvent } from "./Inbound.ts"
import { MessageTemplate } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { wantTemplates } from "./refreshTemplates.ts"
import { saveAccount } from "./saveAccount.ts"
import { saveTemplate } from "./saveTemplate.ts"

type News<Kind extends InboundEvent["kind"]> = Extract<InboundEvent, { readonly kind: Kind }>

const businessesOf = (news: ReadonlyArray<{ readonly businessId: string }>) => [
  ...new Set(news.map(({ businessId }) => businessId))
]

const withTemplateNews = (before: MessageTemplate, news: News<"template">) =>
  new MessageTemplate({
    ...before,
    status: news.status ?? before.status,
    rejectionReason: news.status === null ? before.rejectionReason : news.status === "rejected" ? news.reason : null,
    quality: news.quality ?? before.quality,
    category: news.category ?? before.category,
    externalId: before.externalId ?? news.externalId
  })

/** Its parts have changed: what they are now, only the provider can say. */
const isAboutParts = ({ category, quality, reason, status }: News<"template">) =>
  category === null && quality === null && reason === null && status === null

const isAbout = (template: MessageTemplate, { externalId, language, name }: News<"template">) =>
  template.externalId === externalId || (template.name === name && template.language === language)

/** Keeps what the provider has decided about templates. What is told about others than those known here tells nothing. */
export const applyTemplateNews = Effect.fnUntraced(function* (provider: string, news: ReadonlyArray<News<"template">>) {
  yield* (yield* Locks).exclusive("message_templates")
  const accounts = yield* (yield* ChatAccounts).findByBusiness(provider, businessesOf(news))
  const templates = yield* (yield* MessageTemplates).ofAccounts(accounts.map(({ id }) => id))
  const businesses = new Map(accounts.map(({ externalAccountId, id }) => [id, externalAccountId]))
  const changed = new Set(businessesOf(news.filter(isAboutParts)))
  yield* wantTemplates(accounts.flatMap(({ externalAccountId, id }) => (changed.has(externalAccountId) ? [id] : [])))
  const updatedAt = yield* DateTime.now
  for (const before of templates) {
    // A draft was never submitted: what is told is about one that was deleted.
    if (before.status === "draft") continue
    const after = news
      .filter((each) => each.businessId === businesses.get(before.chatAccountId) && isAbout(before, each))
      .reduce(withTemplateNews, before)
    if (Equal.equals({ ...before }, { ...after })) continue
    yield* Effect.orDie(saveTemplate(before, new MessageTemplate({ ...after, updatedAt })))
  }
})

const keepAccounts = Effect.fnUntraced(function* <N extends { readonly businessId: string }>(
  provider: string,
  news: ReadonlyArray<N>,
  isAbout: (account: ChatAccount, news: N) => boolean,
  tell: (account: ChatAccount, news: N) => ChatAccount
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const accounts = yield* (yield* ChatAccounts).findByBusiness(provider, businessesOf(news))
  const updatedAt = yield* DateTime.now
  for (const before of accounts) {
    const after = news
      .filter((each) => each.businessId === before.externalAccountId && isAbout(before, each))
      .reduce(tell, before)
    if (Equal.equals({ ...before }, { ...after })) continue
    yield* Effect.orDie(saveAccount(before, new ChatAccount({ ...after, updatedAt })))
  }
})

const digits = (phone: string | null) => phone?.replaceAll(/\D/gu, "") ?? null

/** Keeps what the provider tells about numbers: their quality and how much they may send. */
export const applyNumberNews = (provider: string, news: ReadonlyArray<News<"number">>) =>
  keepAccounts(
    provider,
    news,
    (account, { displayPhone, phoneId }) =>
      phoneId === null
        ? displayPhone === null || digits(displayPhone) === digits(account.phone)
        : phoneId === account.externalPhoneId,
    (account, { messagingLimit, quality }) =>
      new ChatAccount({
        ...account,
        qualityRating: quality ?? account.qualityRating,
        messagingLimit: messagingLimit ?? account.messagingLimit
      })
  )

/** Keeps what the provider has decided about business accounts: whether they may send. */
export const applyAccountNews = (provider: string, news: ReadonlyArray<News<"account">>) =>
  keepAccounts(
    provider,
    news,
    (_, { sending }) => sending !== null,
    (account, { event, reason, sending }) =>
      sending === "stopped"
        ? new ChatAccount({ ...account, status: "degraded", lastError: { code: null, reason: reason ?? event } })
        : account.status === "degraded"
          ? new ChatAccount({ ...account, status: "connected", lastError: null })
          : account
  )
