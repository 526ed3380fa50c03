import { DateTime, Effect, Equal, Schema, Stream } from "effect"
import { Locks, nextId, NotFound, transact } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { type ChatAccount, type ChatAccountId, MessageTemplateId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { openProviderConnection } from "../ProviderConnection.ts"
import { MessageTemplate, type TemplateComponents, TemplateName } from "../MessageTemplate.ts"
import { MessageTemplates, saveTemplate } from "../MessageTemplates.ts"
import type { ProviderTemplate } from "../TemplateApproval.ts"
import { appendEvent } from "../events.ts"
import { toTemplateComponents } from "./providerComponents.ts"
import { findTemplateVariables } from "./templateVariables.ts"

const templateKey = ({ language, name }: Pick<ProviderTemplate, "language" | "name">) =>
  JSON.stringify([name, language])

const isName = Schema.is(TemplateName)

/** Selects the templates that can be stored. Some old or special ones have unsupported parts. */
const supportedTemplates = (kept: ReadonlyArray<ProviderTemplate>) =>
  kept.flatMap((template) => {
    const { name, parts } = template
    const components = isName(name) && parts !== null ? toTemplateComponents(parts) : null
    return components === null ? [] : [{ template, components }]
  })

const toTemplateFields = (
  { category, externalId, quality, rejectionReason, status }: ProviderTemplate,
  components: TemplateComponents
) => ({
  category,
  components,
  variables: findTemplateVariables(components),
  status,
  rejectionReason,
  quality,
  externalId
})

const create = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  template: ProviderTemplate,
  components: TemplateComponents
) {
  const now = yield* DateTime.now
  const id = yield* nextId(MessageTemplateId)
  const { language, name } = template
  yield* Effect.orDie(
    (yield* MessageTemplates).insert(
      new MessageTemplate({
        id,
        chatAccountId,
        name,
        language,
        ...toTemplateFields(template, components),
        createdAt: now,
        updatedAt: now,
        version: 1
      })
    )
  )
  yield* appendEvent({ type: "message_template.created", messageTemplateId: id })
})

/** Whether a rejected template was corrected in Parley. Its correction stays, because it will replace the rejected version. */
const hasCorrection = ({ externalId, status }: MessageTemplate, template: ProviderTemplate) =>
  status === "rejected" && template.status === "rejected" && externalId === template.externalId

const update = Effect.fnUntraced(function* (
  before: MessageTemplate,
  template: ProviderTemplate,
  components: TemplateComponents
) {
  const { category, variables } = before
  const after = new MessageTemplate({
    ...before,
    ...toTemplateFields(template, components),
    ...(hasCorrection(before, template) ? { category, components: before.components, variables } : {})
  })
  if (Equal.equals({ ...before }, { ...after })) return false
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
  for (const { components, template } of supportedTemplates(kept)) {
    const before = known.get(templateKey(template))
    if (before === undefined) {
      yield* create(chatAccountId, template, components)
      counts.created += 1
    } else counts[(yield* update(before, template, components)) ? "updated" : "unchanged"] += 1
  }
  const present = new Set(kept.filter(({ parts }) => parts !== null).map(templateKey))
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
