import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { nextId, NotFound, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { MessageTemplateId } from "../Ids.ts"
import { MessageTemplate, type NewMessageTemplate } from "../MessageTemplate.ts"
import { MessageTemplates } from "../MessageTemplates.ts"
import { faultsOf } from "../templates/faultsOf.ts"
import { variablesOf } from "../templates/variablesOf.ts"

/** Drafts a message template. The provider sees it when it is submitted. */
export const createMessageTemplate = useCase(
  "messageTemplates.create",
  { access: { permission: "message_templates.manage" } },
  Effect.fnUntraced(function* ({ category, chatAccountId, components, language, name }: NewMessageTemplate) {
    const errors = faultsOf(components)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
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
      variables: variablesOf(components),
      status: "draft",
      rejectionReason: null,
      quality: "unknown",
      externalId: null,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* (yield* MessageTemplates).insert(template)
    yield* record(
      "message_template.created",
      { kind: "message_template", id },
      { after: { chatAccountId, name, language, category } }
    )
    yield* appendEvent({ type: "message_template.created", messageTemplateId: id })
    return template
  }, transact)
)
