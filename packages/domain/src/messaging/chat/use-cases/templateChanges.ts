import { DateTime, Effect } from "effect"
import { Locks, requireVersion, transact, useCase, type ValidationIssue } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import type { MessageTemplateId } from "../ChatAccount.ts"
import { MessageTemplate, type MessageTemplatePatch } from "../MessageTemplate.ts"
import { MessageTemplates, requireTemplateStatus, saveTemplate, withTemplateLease } from "../MessageTemplates.ts"
import { MessageTemplateEditLimited } from "../errors.ts"
import { changedComponents } from "../templates/knownComponents.ts"
import { openTemplates } from "../templates/openTemplates.ts"
import { nextEditAt, withEdit } from "../templates/templateEdits.ts"
import { claimSamples, uploadSamples } from "../templates/templateSamples.ts"
import { validateChange } from "../templates/templateValidation.ts"
import { findTemplateVariables } from "../templates/templateVariables.ts"

/** Content of a template after an edit, and its new components; `null` if they stay. */
const editedContent = (before: MessageTemplate, { category, components, timeToLive }: MessageTemplatePatch) => {
  const changed = changedComponents(components, before.components)
  return {
    changed,
    content: {
      category: category ?? before.category,
      components: changed ?? before.components,
      timeToLive: timeToLive === undefined ? before.timeToLive : timeToLive
    }
  }
}

const editableStatuses = ["approved", "rejected", "paused"] as const

const validateFixedCategory = (
  before: MessageTemplate,
  category: MessageTemplate["category"]
): ReadonlyArray<ValidationIssue> =>
  before.status === "approved" && category !== before.category
    ? [
        {
          pointer: "/category",
          message: "Expected no other category: the category of an approved template is fixed"
        }
      ]
    : []

/** The provider keeps the stored value of an omitted field. */
const validateTimeToLiveChange = (
  before: MessageTemplate,
  { timeToLive }: MessageTemplatePatch
): ReadonlyArray<ValidationIssue> =>
  timeToLive === null && before.timeToLive !== null
    ? [
        {
          pointer: "/timeToLive",
          message:
            before.category === "marketing"
              ? "Expected seconds: the provider cannot remove the time to live of a submitted template"
              : "Expected seconds: the provider cannot remove the time to live of a submitted template; -1 sets 30 days"
        }
      ]
    : []

/** Refuses an edit that the provider would refuse, and claims its samples. */
const checkEdit = Effect.fnUntraced(function* (
  before: MessageTemplate,
  edit: MessageTemplatePatch,
  expectedVersion: number | null
) {
  yield* requireVersion(before, expectedVersion)
  yield* requireTemplateStatus(before, editableStatuses)
  const { changed, content } = editedContent(before, edit)
  yield* claimSamples(changed ?? {}, [
    ...validateFixedCategory(before, content.category),
    ...validateTimeToLiveChange(before, edit),
    ...validateChange(changed, content)
  ])
  const retryAt = nextEditAt(before, yield* DateTime.now)
  if (retryAt !== null) return yield* new MessageTemplateEditLimited({ retryAt })
})

const saveEdit = Effect.fnUntraced(function* (
  id: MessageTemplateId,
  content: ReturnType<typeof editedContent>["content"]
) {
  yield* (yield* Locks).exclusive("message_templates")
  const before = yield* (yield* MessageTemplates).get(id)
  const updatedAt = yield* DateTime.now
  const isRejected = before.status === "rejected"
  const after = yield* saveTemplate(
    before,
    new MessageTemplate({
      ...before,
      ...content,
      variables: findTemplateVariables(content.components),
      ...(isRejected ? { status: "pending", statusReason: null, rejectionReason: null, rejectionAdvice: null } : {}),
      editTimes: withEdit(before, updatedAt),
      updatedAt
    })
  )
  yield* recordAudit(
    "message_template.edited",
    { kind: "message_template", id },
    {
      before: { category: before.category, body: before.components.body?.text ?? null },
      after: { category: after.category, body: after.components.body?.text ?? null }
    }
  )
  return after
}, transact)

/**
 * Changes a submitted template at the provider. An approved or paused template stays in use with its new content, unless the review rejects it. A
 * rejected template is reviewed again.
 */
export const editMessageTemplate = useCase(
  {
    name: "messageTemplates.edit",
    access: { permission: "message_templates.manage" },
    audit: "message_template.edited",
    emits: ["message_template.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...edit
  }: { readonly id: MessageTemplateId; readonly ifVersion: number | null } & MessageTemplatePatch) {
    return yield* withTemplateLease(
      id,
      editableStatuses,
      (template) => checkEdit(template, edit, ifVersion),
      Effect.fnUntraced(function* (before) {
        const { changed, content } = editedContent(before, edit)
        const { category, timeToLive } = content
        const isSame = changed === null && category === before.category && timeToLive === before.timeToLive
        if (isSame || before.externalId === null) return before
        const { line, templates } = yield* openTemplates(before.chatAccountId)
        yield* templates.edit(line, before.externalId, {
          category: category === before.category ? null : category,
          components: changed,
          timeToLive: timeToLive === before.timeToLive ? null : timeToLive,
          handles: changed === null ? new Map() : yield* uploadSamples(templates, line, changed)
        })
        return yield* saveEdit(id, content)
      })
    )
  })
)
