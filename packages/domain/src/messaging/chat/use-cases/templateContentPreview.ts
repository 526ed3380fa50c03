import { Effect, Schema } from "effect"
import { useCase, ValidationFailed } from "../../../kernel/index.ts"
import { TemplateCategory, TemplateComponents, TemplateInputs } from "../MessageTemplate.ts"
import { exampleValues } from "../templates/exampleValues.ts"
import { fillTemplate } from "../templates/templateFilling.ts"
import { toTemplatePreview } from "../templates/templatePreview.ts"
import { validateContent } from "../templates/templateValidation.ts"
import { findTemplateVariables } from "../templates/templateVariables.ts"

/** Content of a template that is not stored. Without values, its examples fill the variables. */
export const TemplateContentToPreview = Schema.Struct({
  category: TemplateCategory,
  components: TemplateComponents,
  values: Schema.optionalKey(TemplateInputs)
}).annotate({ identifier: "TemplateContentToPreview" })
export type TemplateContentToPreview = typeof TemplateContentToPreview.Type

const findIssues = ({ category, components, values }: TemplateContentToPreview) => {
  const issues = validateContent({ category, components })
  if (values === undefined) return issues
  const variables = findTemplateVariables(components)
  const filled = fillTemplate({ name: "preview", language: "en", category, components, variables }, values, "/values")
  return Array.isArray(filled) ? [...issues, ...filled] : issues
}

/** Renders the content of a template before it is stored. The provider is not asked, and sample files are not needed. */
export const previewTemplateContent = useCase(
  { name: "messageTemplates.previewContent", access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* (input: TemplateContentToPreview) {
    const errors = findIssues(input)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const { components, values } = input
    return toTemplatePreview({ components }, values ?? exampleValues(components))
  })
)
