import { DateTime, Effect, Equal } from "effect"
import { Locks } from "../../kernel/index.ts"
import { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import type { InboundEvent } from "./Inbound.ts"
import { MessageTemplate } from "./MessageTemplate.ts"
import { MessageTemplates, saveTemplate } from "./MessageTemplates.ts"
import { saveAccount } from "./accountStatus.ts"
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
const isComponentsUpdate = ({ category, quality, reason, status }: ProviderUpdate<"template">) =>
  category === null && quality === null && reason === null && status === null

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

/** Stores the quality and messaging limit of numbers. */
export const applyNumberUpdates = (provider: string, updates: ReadonlyArray<ProviderUpdate<"number">>) =>
  updateAccounts(
    provider,
    updates,
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

/** Stores whether business accounts can send. */
export const applyAccountUpdates = (provider: string, updates: ReadonlyArray<ProviderUpdate<"account">>) =>
  updateAccounts(
    provider,
    updates,
    (_, { sending }) => sending !== null,
    (account, { event, reason, sending }) =>
      sending === "stopped"
        ? new ChatAccount({ ...account, status: "degraded", lastError: { code: null, reason: reason ?? event } })
        : account.status === "degraded"
          ? new ChatAccount({ ...account, status: "connected", lastError: null })
          : account
  )
