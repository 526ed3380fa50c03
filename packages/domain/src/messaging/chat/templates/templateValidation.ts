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

/** Content of a template that the provider reviews. */
export interface TemplateContent extends Pick<NewMessageTemplate, "category" | "components"> {
  readonly timeToLive: number | null
}

/** Returns the issues of a change. Unchanged components are not checked again: the provider has them, and its samples are not here. */
export const validateChange = (
  components: TemplateComponents | null,
  { category, components: stored, timeToLive }: TemplateContent
): ReadonlyArray<ValidationIssue> =>
  components === null
    ? [...validateCategory(category, stored), ...validateTimeToLive(category, timeToLive)]
    : validateTemplate({ category, components, timeToLive })

/** Returns the issues for which the provider would refuse this template, each with its pointer. */
export const validateTemplate = ({
  category,
  components,
  timeToLive
}: TemplateContent): ReadonlyArray<ValidationIssue> => [
  ...validateTemplateComponents(components),
  ...validateCategory(category, components),
  ...validateTimeToLive(category, timeToLive)
]
