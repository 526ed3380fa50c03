import type { ValidationIssue } from "../../../kernel/index.ts"
import type { NewMessageTemplate } from "../MessageTemplate.ts"
import type { TemplateComponents } from "./TemplateComponents.ts"
import { validateButtons } from "./templateButtonRules.ts"
import { validateCategory, validateCombination, validateTimeToLive } from "./templateKindRules.ts"
import { validateTexts } from "./templateTextRules.ts"

/** Returns the issues for which the provider would refuse these components, each with its pointer. */
export const validateTemplateComponents = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => [
  ...validateTexts(components),
  ...validateButtons(components.buttons ?? [], "/components/buttons"),
  ...validateCombination(components)
]

/** Returns the issues for which the provider would refuse this template, each with its pointer. */
export const validateTemplate = ({
  category,
  components,
  timeToLive
}: Pick<NewMessageTemplate, "category" | "components"> & {
  readonly timeToLive: number | null
}): ReadonlyArray<ValidationIssue> => [
  ...validateTemplateComponents(components),
  ...validateCategory(category, components),
  ...validateTimeToLive(category, timeToLive)
]
