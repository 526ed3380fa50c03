import { DateTime, Effect, Equal } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { requireUnleased } from "../leaseTemplate.ts"
import type { MessageTemplateId } from "../Ids.ts"
import { MessageTemplate, type MessageTemplatePatch } from "../MessageTemplate.ts"
import { MessageTemplates } from "../MessageTemplates.ts"
import { requireStatus } from "../requireStatus.ts"
import { faultsOf } from "../templates/faultsOf.ts"
import { variablesOf } from "../templates/variablesOf.ts"

const changeable = ["draft", "rejected"] as const

/** Changes a message template that is a draft, or was rejected. */
export const updateMessageTemplate = useCase(
  "messageTemplates.update",
  { access: { permission: "message_templates.manage" } },
  Effect.fnUntraced(function* (id: MessageTemplateId, patch: MessageTemplatePatch, expectedVersion: number | null) {
    const templates = yield* MessageTemplates
    yield* (yield* Locks).exclusive("message_templates")
    const before = yield* templates.get(id)
    yield* requireVersion(before, expectedVersion)
    yield* requireStatus(before, changeable)
    yield* requireUnleased(id, changeable)
    const { category = before.category, components = before.components } = patch
    const errors = faultsOf(components)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    if (category === before.category && Equal.equals(components, before.components)) return before
    const after = yield* templates.save(
      new MessageTemplate({
        ...before,
        category,
        components,
        variables: variablesOf(components),
        updatedAt: yield* DateTime.now
      }),
      before.version
    )
    yield* record(
      "message_template.updated",
      { kind: "message_template", id },
      {
        before: { category: before.category, body: before.components.body.text },
        after: { category, body: components.body.text }
      }
    )
    yield* appendEvent({ type: "message_template.updated", messageTemplateId: id })
    return after
  }, transact)
)
