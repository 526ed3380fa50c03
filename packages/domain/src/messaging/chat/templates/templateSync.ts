import { DateTime, Effect, Equal, Schema, Stream } from "effect"
import { Locks, nextId, NotFound, transact } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { type ChatAccount, type ChatAccountId, MessageTemplateId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { openProviderConnection } from "../ProviderConnection.ts"
import { MessageTemplate, TemplateName } from "../MessageTemplate.ts"
import { MessageTemplates, saveTemplate } from "../MessageTemplates.ts"
import type { ProviderTemplate } from "../TemplateApproval.ts"
import { appendEvent } from "../events.ts"
import { completeComponents, withoutLinks } from "./knownComponents.ts"
import { rejectionAdvice } from "./rejectionAdvice.ts"
import { findTemplateVariables } from "./templateVariables.ts"

const templateKey = ({ language, name }: Pick<ProviderTemplate, "language" | "name">) =>
  JSON.stringify([name, language])

const isName = Schema.is(TemplateName)

const toTemplateFields = ({
  announcedCategory,
  category,
  components,
  externalId,
  libraryName,
  quality,
  qualityAt,
  rejectionReason,
  status,
  timeToLive
}: ProviderTemplate) => ({
  category,
  components,
  variables: findTemplateVariables(components),
  status,
  rejectionReason: status === "rejected" ? rejectionReason : null,
  quality,
  qualityAt,
  announcedCategory: announcedCategory === category ? null : announcedCategory,
  timeToLive,
  libraryName,
  externalId
})

/** Stores a template of the provider that is unknown here. */
export const insertProviderTemplate = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  template: ProviderTemplate
) {
  const now = yield* DateTime.now
  const { language, name } = template
  const inserted = new MessageTemplate({
    id: yield* nextId(MessageTemplateId),
    chatAccountId,
    name,
    language,
    ...toTemplateFields(template),
    rejectionAdvice: rejectionAdvice(template),
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* (yield* MessageTemplates).insert(inserted)
  yield* appendEvent({ type: "message_template.created", messageTemplateId: inserted.id })
  return inserted
})

/** Whether a rejected template was corrected in Parley. Its correction stays, because it will replace the rejected version. */
const hasCorrection = ({ externalId, status }: MessageTemplate, template: ProviderTemplate) =>
  status === "rejected" && template.status === "rejected" && externalId === template.externalId

/** Data of events that a read does not return. It stays until the status or the announcement changes. */
const eventFields = (before: MessageTemplate, template: ProviderTemplate) => {
  const isSameStatus = before.status === template.status
  const isAnnounced = template.announcedCategory !== null && template.announcedCategory !== template.category
  return {
    statusReason: isSameStatus ? before.statusReason : null,
    statusUntil: isSameStatus ? before.statusUntil : null,
    rejectionAdvice:
      isSameStatus && before.rejectionReason === template.rejectionReason
        ? (before.rejectionAdvice ?? rejectionAdvice(template))
        : rejectionAdvice(template),
    categoryChangesAt: isAnnounced ? before.categoryChangesAt : null,
    qualityAt: template.qualityAt ?? before.qualityAt
  }
}

const withProviderState = (before: MessageTemplate, template: ProviderTemplate) => {
  const { category, components, timeToLive, variables } = before
  const read = { ...template, components: completeComponents(template.components, components) }
  return new MessageTemplate({
    ...before,
    ...toTemplateFields(read),
    ...eventFields(before, template),
    ...(hasCorrection(before, template) ? { category, components, timeToLive, variables } : {})
  })
}

const plain = (template: MessageTemplate) => ({ ...template, components: withoutLinks(template.components) })

const update = Effect.fnUntraced(function* (before: MessageTemplate, template: ProviderTemplate) {
  const after = withProviderState(before, template)
  if (Equal.equals(plain(before), plain(after))) {
    // A new link to the same sample is no change of the template.
    if (!Equal.equals({ ...before }, { ...after })) {
      yield* Effect.orDie((yield* MessageTemplates).save(after, before.version))
    }
    return false
  }
  yield* Effect.orDie(saveTemplate(before, new MessageTemplate({ ...after, updatedAt: yield* DateTime.now })))
  return true
})

/** Fails if the number was removed, or moved to another business account, after the templates were fetched. */
const requireSameBusiness = Effect.fnUntraced(function* ({ externalAccountId, id }: ChatAccount) {
  const [now] = yield* (yield* ChatAccounts).find([id])
  if (now?.externalAccountId !== externalAccountId) return yield* new NotFound({ resource: "chat account" })
})

/** Stores the fetched templates of an account; counts the new, changed, unchanged and missing ones. */
export const saveProviderTemplates = Effect.fnUntraced(function* (
  account: ChatAccount,
  kept: ReadonlyArray<ProviderTemplate>
) {
  const { id: chatAccountId } = account
  yield* (yield* Locks).exclusive("message_templates")
  yield* requireSameBusiness(account)
  const known = new Map(
    (yield* (yield* MessageTemplates).ofAccounts([chatAccountId])).map((template) => [templateKey(template), template])
  )
  const counts = { created: 0, updated: 0, unchanged: 0, missing: 0 }
  for (const template of kept.filter(({ name }) => isName(name))) {
    const before = known.get(templateKey(template))
    if (before === undefined) {
      yield* Effect.orDie(insertProviderTemplate(chatAccountId, template))
      counts.created += 1
    } else counts[(yield* update(before, template)) ? "updated" : "unchanged"] += 1
  }
  const present = new Set(kept.map(templateKey))
  for (const template of known.values()) {
    if (template.externalId === null || present.has(templateKey(template))) continue
    counts.missing += 1
    if (template.status === "disabled") continue
    const updatedAt = yield* DateTime.now
    yield* Effect.orDie(saveTemplate(template, new MessageTemplate({ ...template, status: "disabled", updatedAt })))
  }
  yield* recordAudit("message_templates.synced", { kind: "chat_account", id: chatAccountId }, { after: counts })
  return counts
}, transact)

/** Fetches the templates of an account from the provider. */
export const fetchTemplates = Effect.fnUntraced(function* (account: ChatAccount) {
  const templates = yield* channelFor(account, "templates")
  return yield* Stream.runCollect(templates.list(yield* openProviderConnection(account)))
})
