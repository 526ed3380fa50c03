import { Effect } from "effect"
import { appendEvent } from "./appendEvent.ts"
import type { MessageTemplate } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"

/** Stores a template that was read under the lock of templates, and appends the events of its changes. */
export const saveTemplate = Effect.fnUntraced(function* (before: MessageTemplate, after: MessageTemplate) {
  const saved = yield* Effect.catchTag(
    (yield* MessageTemplates).save(after, before.version),
    "VersionConflict",
    (error) => Effect.die(error)
  )
  const messageTemplateId = after.id
  yield* appendEvent(
    before.status === after.status
      ? { type: "message_template.updated", messageTemplateId }
      : { type: "message_template.status_changed", messageTemplateId, from: before.status, to: after.status }
  )
  return saved
})
