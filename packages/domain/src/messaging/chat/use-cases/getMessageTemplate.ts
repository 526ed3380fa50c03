import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { MessageTemplateId } from "../Ids.ts"
import { MessageTemplates } from "../MessageTemplates.ts"

/** Reads one message template. */
export const getMessageTemplate = useCase(
  "messageTemplates.get",
  { access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* (id: MessageTemplateId) {
    return yield* (yield* MessageTemplates).get(id)
  })
)
