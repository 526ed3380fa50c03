import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { withTemplateLease } from "../leaseTemplate.ts"
import type { MessageTemplateId } from "../Ids.ts"
import { findProviderTemplate } from "../findProviderTemplate.ts"
import { openLine } from "../lineOf.ts"
import type { MessageTemplate } from "../MessageTemplate.ts"
import { MessageTemplates } from "../MessageTemplates.ts"

/** Deletes it where the provider keeps it. That it is not there any more is as good. */
const deleteAtProvider = Effect.fnUntraced(function* (template: MessageTemplate) {
  if (template.externalId === null) return
  const account = yield* (yield* ChatAccounts).get(template.chatAccountId)
  const templates = yield* channelFor(account, "templates")
  const line = yield* openLine(account)
  const kept = yield* findProviderTemplate(templates, line, template)
  if (kept !== null) yield* templates.remove(line, kept.name, kept.externalId)
})

const remove = Effect.fnUntraced(function* (
  { category, chatAccountId, id, language, name }: MessageTemplate,
  expected: number | null
) {
  yield* (yield* MessageTemplates).remove(id, expected)
  yield* record(
    "message_template.deleted",
    { kind: "message_template", id },
    { before: { chatAccountId, name, language, category } }
  )
  yield* appendEvent({ type: "message_template.deleted", messageTemplateId: id })
}, transact)

const deletable = ["draft", "approved", "rejected", "paused", "disabled"] as const

/** Deletes a message template, at the provider first. If that is all that came about, it can be repeated. */
export const deleteMessageTemplate = useCase(
  "messageTemplates.delete",
  { access: { permission: "message_templates.manage" } },
  Effect.fnUntraced(function* (id: MessageTemplateId, expectedVersion: number | null) {
    return yield* withTemplateLease(
      id,
      deletable,
      (template) => requireVersion(template, expectedVersion),
      Effect.fnUntraced(function* (template) {
        yield* deleteAtProvider(template)
        yield* remove(template, expectedVersion)
      })
    )
  })
)
