import { DateTime, Effect, Schema } from "effect"
import { Locks, NotFound, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import type { ChatAccountId, MessageTemplateId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { type ProviderConnection, openProviderConnection } from "../ProviderConnection.ts"
import { MessageTemplate } from "../MessageTemplate.ts"
import { MessageTemplates, requireTemplateStatus, saveTemplate, withTemplateLease } from "../MessageTemplates.ts"
import { findProviderTemplate, type ProviderTemplate, type TemplateApproval } from "../TemplateApproval.ts"
import { completeComponents, withoutProviderFields } from "../templates/knownComponents.ts"
import { requireDistinctText } from "../templates/distinctText.ts"
import { rejectionAdvice } from "../templates/rejectionAdvice.ts"
import { uploadSamples } from "../templates/templateSamples.ts"
import { fetchTemplates, saveProviderTemplates } from "../templates/templateSync.ts"
import { validateTemplate } from "../templates/templateValidation.ts"
import { findTemplateVariables } from "../templates/templateVariables.ts"

type SubmissionResult = Pick<
  MessageTemplate,
  "category" | "components" | "externalId" | "quality" | "rejectionReason" | "rejectionAdvice" | "status"
>

/** Adopts a submission whose answer was lost. The provider decides about the submitted version, not about later changes. */
const adoptSubmission = ({ components }: MessageTemplate, kept: ProviderTemplate): SubmissionResult => ({
  category: kept.category,
  components: completeComponents(kept.components, components),
  externalId: kept.externalId,
  quality: kept.quality,
  rejectionReason: kept.rejectionReason,
  rejectionAdvice: rejectionAdvice(kept),
  status: kept.status
})

/** Sends the template to the provider. A version that the provider has rejected is replaced under its id. */
const submitToProvider = Effect.fnUntraced(function* (
  templates: TemplateApproval,
  line: ProviderConnection,
  template: MessageTemplate,
  rejected: ProviderTemplate | null
) {
  const { category, components, language, name, timeToLive } = template
  const handles = yield* uploadSamples(templates, line, components)
  const answer =
    rejected === null
      ? yield* templates.submit(line, { name, language, category, components, timeToLive, handles })
      : yield* Effect.as(templates.edit(line, rejected.externalId, { category, components, timeToLive, handles }), {
          externalId: rejected.externalId,
          status: "pending" as const,
          category
        })
  return {
    category: answer.category,
    components,
    externalId: answer.externalId,
    quality: "unknown",
    rejectionReason: null,
    rejectionAdvice: rejectionAdvice({ status: answer.status, rejectionReason: null }),
    status: answer.status
  } satisfies SubmissionResult
})

/** Whether both sides store the same rejected template. Then a new version must replace it. */
const isRejectedAtProvider = ({ externalId, status }: MessageTemplate, kept: ProviderTemplate) =>
  status === "rejected" && kept.status === "rejected" && kept.externalId === externalId

const saveSubmission = Effect.fnUntraced(function* (id: MessageTemplateId, reported: SubmissionResult) {
  yield* (yield* Locks).exclusive("message_templates")
  const before = yield* (yield* MessageTemplates).get(id)
  const after = yield* saveTemplate(
    before,
    new MessageTemplate({
      ...before,
      ...reported,
      variables: findTemplateVariables(reported.components),
      statusReason: null,
      statusUntil: null,
      updatedAt: yield* DateTime.now
    })
  )
  yield* recordAudit(
    "message_template.submitted",
    { kind: "message_template", id },
    { before: { status: before.status }, after: { status: after.status } }
  )
  return after
}, transact)

const submittableStatuses = ["draft", "rejected"] as const

const submitTemplate = Effect.fnUntraced(function* (template: MessageTemplate) {
  const { chatAccountId, id } = template
  const account = yield* Effect.mapError(
    (yield* ChatAccounts).get(chatAccountId),
    () => new NotFound({ resource: "chat account" })
  )
  const templates = yield* channelFor(account, "templates")
  const line = yield* openProviderConnection(account)
  const kept = yield* findProviderTemplate(templates, line, template)
  if (kept !== null && !isRejectedAtProvider(template, kept))
    return yield* saveSubmission(id, adoptSubmission(template, kept))
  const errors = validateTemplate({
    ...template,
    components: withoutProviderFields(template.components, template.components)
  })
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  yield* requireDistinctText(template)
  return yield* saveSubmission(id, yield* submitToProvider(templates, line, template, kept))
})

/**
 * Submits a draft, or a rejected and changed template, to the provider. It first reads the provider's template. After a partial attempt it continues
 * there and submits nothing twice.
 */
export const submitMessageTemplate = useCase(
  {
    name: "messageTemplates.submit",
    access: { permission: "message_templates.manage" },
    audit: "message_template.submitted",
    emits: ["message_template.status_changed"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: MessageTemplateId }) {
    return yield* withTemplateLease(
      id,
      submittableStatuses,
      (template) => requireTemplateStatus(template, submittableStatuses),
      submitTemplate
    )
  })
)

/** Result of a synchronization. `missing` counts templates that the provider no longer has. They cannot be sent. */
export const TemplateSyncResult = Schema.Struct({
  created: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  missing: Schema.Int
}).annotate({ identifier: "TemplateSync" })
export type TemplateSyncResult = typeof TemplateSyncResult.Type

/** Synchronizes the message templates from the provider. Drafts that the provider does not have stay unchanged. */
export const syncMessageTemplates = useCase(
  {
    name: "messageTemplates.sync",
    access: { permission: "message_templates.manage" },
    audit: "message_templates.synced",
    emits: ["message_template.created"]
  },
  Effect.fnUntraced(function* ({ chatAccountId }: { readonly chatAccountId: ChatAccountId }) {
    const accounts = yield* ChatAccounts
    const sync = Effect.gen(function* () {
      const account = yield* accounts.get(chatAccountId)
      return yield* saveProviderTemplates(account, yield* fetchTemplates(account))
    })
    const counts: TemplateSyncResult = yield* sync.pipe(
      Effect.catchTag("NotFound", () =>
        Effect.fail(new NotFound({ resource: "chat account", pointer: "/chatAccountId" }))
      )
    )
    return counts
  })
)
