import { DateTime, Effect } from "effect"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import type { MessageTemplateId } from "../ChatAccount.ts"
import { MessageTemplate, type TemplateStatus } from "../MessageTemplate.ts"
import { MessageTemplates, requireTemplateStatus, saveTemplate, withTemplateLease } from "../MessageTemplates.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import { findProviderTemplate, type TemplateApproval } from "../TemplateApproval.ts"
import type { ChannelFailure } from "../errors.ts"
import { openTemplates } from "../templates/openTemplates.ts"

const saveStatus = Effect.fnUntraced(function* (id: MessageTemplateId, action: string, status: TemplateStatus) {
  yield* (yield* Locks).exclusive("message_templates")
  const before = yield* (yield* MessageTemplates).get(id)
  const reasons = status === before.status ? {} : { statusReason: null, statusUntil: null }
  const after = yield* saveTemplate(
    before,
    new MessageTemplate({ ...before, ...reasons, status, updatedAt: yield* DateTime.now })
  )
  yield* recordAudit(action, { kind: "message_template", id }, { before: { status: before.status }, after: { status } })
  return after
}, transact)

/** Call of the provider that starts or stops the use of a template. */
interface UseChange {
  readonly action: string
  readonly allowed: ReadonlyArray<TemplateStatus>
  readonly call: (
    templates: TemplateApproval,
    line: ProviderConnection,
    externalId: string
  ) => Effect.Effect<void, ChannelFailure>
  /** Status after the call; `null` if the provider knows it. */
  readonly status: TemplateStatus | null
}

const changeUse = (id: MessageTemplateId, { action, allowed, call, status }: UseChange) =>
  withTemplateLease(
    id,
    allowed,
    (template) => requireTemplateStatus(template, allowed),
    Effect.fnUntraced(function* (template) {
      const { line, templates } = yield* openTemplates(template.chatAccountId)
      yield* call(templates, line, template.externalId ?? "")
      if (status !== null) return yield* saveStatus(id, action, status)
      const kept = yield* findProviderTemplate(templates, line, template)
      return yield* saveStatus(id, action, kept?.status ?? "approved")
    })
  )

/** Ends the pause of a template. The provider requires this after a pause by pacing; other pauses end automatically. */
export const unpauseMessageTemplate = useCase(
  {
    name: "messageTemplates.unpause",
    access: { permission: "message_templates.manage" },
    audit: "message_template.unpaused",
    emits: ["message_template.status_changed"]
  },
  ({ id }: { readonly id: MessageTemplateId }) =>
    changeUse(id, {
      action: "message_template.unpaused",
      allowed: ["paused"],
      call: (templates, line, externalId) => templates.unpause(line, externalId),
      status: null
    })
)

/** Archives an approved template at the provider. It cannot be sent until it is unarchived. */
export const archiveMessageTemplate = useCase(
  {
    name: "messageTemplates.archive",
    access: { permission: "message_templates.manage" },
    audit: "message_template.archived",
    emits: ["message_template.status_changed"]
  },
  ({ id }: { readonly id: MessageTemplateId }) =>
    changeUse(id, {
      action: "message_template.archived",
      allowed: ["approved"],
      call: (templates, line, externalId) => templates.archive(line, [externalId]),
      status: "archived"
    })
)

/** Returns an archived template to use. Its status is the status at the provider. */
export const unarchiveMessageTemplate = useCase(
  {
    name: "messageTemplates.unarchive",
    access: { permission: "message_templates.manage" },
    audit: "message_template.unarchived",
    emits: ["message_template.status_changed"]
  },
  ({ id }: { readonly id: MessageTemplateId }) =>
    changeUse(id, {
      action: "message_template.unarchived",
      allowed: ["archived"],
      call: (templates, line, externalId) => templates.unarchive(line, [externalId]),
      status: null
    })
)
