import { DateTime, Effect } from "effect"
import {
  Locks,
  nextId,
  NotFound,
  paged,
  type PageRequest,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { MessageTemplateId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { openProviderConnection } from "../ProviderConnection.ts"
import { MessageTemplate, type MessageTemplatePatch, type NewMessageTemplate } from "../MessageTemplate.ts"
import {
  type MessageTemplateQuery,
  MessageTemplates,
  requireTemplateStatus,
  requireUnleased,
  withTemplateLease
} from "../MessageTemplates.ts"
import { findProviderTemplate } from "../TemplateApproval.ts"
import { appendEvent } from "../events.ts"
import { changedComponents } from "../templates/knownComponents.ts"
import { claimSamples } from "../templates/templateSamples.ts"
import { validateChange, validateTemplate } from "../templates/templateValidation.ts"
import { requireDistinctText } from "../templates/distinctText.ts"
import { findTemplateVariables } from "../templates/templateVariables.ts"

/** Drafts a message template. The provider receives it on submission. */
export const createMessageTemplate = useCase(
  {
    name: "messageTemplates.create",
    access: { permission: "message_templates.manage" },
    audit: "message_template.created",
    emits: ["message_template.created"]
  },
  Effect.fnUntraced(function* ({
    category,
    chatAccountId,
    components,
    language,
    name,
    timeToLive: givenTimeToLive
  }: NewMessageTemplate) {
    const timeToLive = givenTimeToLive ?? null
    yield* claimSamples(components, validateTemplate({ category, components, timeToLive }))
    const account = yield* Effect.mapError(
      (yield* ChatAccounts).get(chatAccountId),
      () => new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
    )
    yield* channelFor(account, "templates")
    const now = yield* DateTime.now
    const id = yield* nextId(MessageTemplateId)
    const template = new MessageTemplate({
      id,
      chatAccountId,
      name,
      language,
      category,
      components,
      variables: findTemplateVariables(components),
      status: "draft",
      rejectionReason: null,
      quality: "unknown",
      timeToLive,
      externalId: null,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* requireDistinctText(template)
    yield* (yield* MessageTemplates).insert(template)
    yield* recordAudit(
      "message_template.created",
      { kind: "message_template", id },
      { after: { chatAccountId, name, language, category } }
    )
    yield* appendEvent({ type: "message_template.created", messageTemplateId: id })
    return template
  }, transact)
)

/** Reads one message template. */
export const getMessageTemplate = useCase(
  { name: "messageTemplates.get", access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: MessageTemplateId }) {
    return yield* (yield* MessageTemplates).get(id)
  })
)

const allTemplates: MessageTemplateQuery = { chatAccountId: null, status: null, name: null }

/** Reads message templates, by name. */
export const listMessageTemplates = useCase(
  { name: "messageTemplates.list", access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & Partial<MessageTemplateQuery>) {
    const query = { ...allTemplates, ...request }
    const templates = yield* MessageTemplates
    const { chatAccountId, name, status } = query
    if (chatAccountId !== null) {
      const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
      if (account === undefined) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
    }
    return yield* paged(
      `message_templates/${JSON.stringify([chatAccountId, status, name])}`,
      page,
      (slice) => templates.list(query, slice),
      (template) => [template.name, template.language, template.id]
    )
  })
)

const editableStatuses = ["draft", "rejected"] as const

/** Changes a message template that is a draft or rejected. */
export const updateMessageTemplate = useCase(
  {
    name: "messageTemplates.update",
    access: { permission: "message_templates.manage" },
    audit: "message_template.updated",
    emits: ["message_template.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: MessageTemplateId; readonly ifVersion: number | null } & MessageTemplatePatch) {
    const templates = yield* MessageTemplates
    yield* (yield* Locks).exclusive("message_templates")
    const before = yield* templates.get(id)
    yield* requireVersion(before, ifVersion)
    yield* requireTemplateStatus(before, editableStatuses)
    yield* requireUnleased(id, editableStatuses)
    const { category = before.category, timeToLive = before.timeToLive } = patch
    const changed = changedComponents(patch.components, before.components)
    const components = changed ?? before.components
    const issues = validateChange(changed, { category, components, timeToLive })
    if (issues.length === 0 && category === before.category && timeToLive === before.timeToLive && changed === null) {
      return before
    }
    if (issues.length === 0 && changed !== null) yield* requireDistinctText({ ...before, components })
    yield* claimSamples(components, issues)
    const after = yield* templates.save(
      new MessageTemplate({
        ...before,
        category,
        components,
        variables: findTemplateVariables(components),
        timeToLive,
        updatedAt: yield* DateTime.now
      }),
      before.version
    )
    yield* recordAudit(
      "message_template.updated",
      { kind: "message_template", id },
      {
        before: { category: before.category, body: before.components.body?.text ?? null },
        after: { category, body: components.body?.text ?? null }
      }
    )
    yield* appendEvent({ type: "message_template.updated", messageTemplateId: id })
    return after
  }, transact)
)

/** Deletes the template at the provider. A missing template counts as deleted. */
const deleteAtProvider = Effect.fnUntraced(function* (template: MessageTemplate) {
  if (template.externalId === null) return
  const account = yield* (yield* ChatAccounts).get(template.chatAccountId)
  const templates = yield* channelFor(account, "templates")
  const line = yield* openProviderConnection(account)
  const kept = yield* findProviderTemplate(templates, line, template)
  if (kept !== null) yield* templates.remove(line, kept.name, kept.externalId)
})

const remove = Effect.fnUntraced(function* (
  { category, chatAccountId, id, language, name }: MessageTemplate,
  expected: number | null
) {
  yield* (yield* MessageTemplates).remove(id, expected)
  yield* recordAudit(
    "message_template.deleted",
    { kind: "message_template", id },
    { before: { chatAccountId, name, language, category } }
  )
  yield* appendEvent({ type: "message_template.deleted", messageTemplateId: id })
}, transact)

const deletableStatuses = [
  "draft",
  "in_appeal",
  "approved",
  "rejected",
  "paused",
  "disabled",
  "locked",
  "limit_exceeded",
  "archived",
  "pending_deletion",
  "deleted"
] as const

/** Deletes a message template, first at the provider. If only that succeeds, the call can be repeated. */
export const deleteMessageTemplate = useCase(
  {
    name: "messageTemplates.delete",
    access: { permission: "message_templates.manage" },
    audit: "message_template.deleted",
    emits: ["message_template.deleted"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion
  }: {
    readonly id: MessageTemplateId
    readonly ifVersion: number | null
  }) {
    return yield* withTemplateLease(
      id,
      deletableStatuses,
      (template) => requireVersion(template, ifVersion),
      Effect.fnUntraced(function* (template) {
        yield* deleteAtProvider(template)
        yield* remove(template, ifVersion)
      })
    )
  })
)
