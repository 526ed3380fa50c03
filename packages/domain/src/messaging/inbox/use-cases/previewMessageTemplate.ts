import { Effect } from "effect"
import { type MessageTemplateId, MessageTemplates, previewOf, type TemplateInputs } from "../../chat/index.ts"
import { useCase } from "../../../kernel/index.ts"
import { checkValues } from "../writing/checkValues.ts"

/**
 * Shows a template with these values as the customer would see it, and refuses the values that sending it would refuse. A
 * template that is not approved yet is shown as well: before it is submitted it is looked at most.
 */
export const previewMessageTemplate = useCase(
  "messageTemplates.preview",
  { access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* (id: MessageTemplateId, values: TemplateInputs) {
    const template = yield* (yield* MessageTemplates).get(id)
    yield* checkValues(template, values, "/values")
    return previewOf(template, values)
  })
)
