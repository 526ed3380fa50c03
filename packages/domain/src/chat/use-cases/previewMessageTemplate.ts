import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { MessageTemplateId } from "../Ids.ts"
import type { TemplateInputs } from "../MessageTemplate.ts"
import { MessageTemplates } from "../MessageTemplates.ts"
import { previewOf } from "../templates/previewOf.ts"

/** Shows a template with these values, as far as they go. */
export const previewMessageTemplate = useCase(
  "messageTemplates.preview",
  { access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* (id: MessageTemplateId, values: TemplateInputs) {
    return previewOf(yield* (yield* MessageTemplates).get(id), values)
  })
)
