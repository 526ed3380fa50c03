import type { ValidationIssue } from "../../../kernel/index.ts"
import type { NewMessageTemplate } from "../MessageTemplate.ts"
import type { TemplateComponents } from "./TemplateComponents.ts"
import { validateButtons } from "./templateButtonRules.ts"
import {
  validateCategory,
  validateCombination,
  validateProviderFields,
  validateTimeToLive
} from "./templateKindRules.ts"
import { validateTexts } from "./templateTextRules.ts"

const validateParts = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => [
  ...validateTexts(components),
  ...validateButtons(components.buttons ?? [], "/components/buttons"),
  ...validateCombination(components)
]

/** Returns the issues of components that the provider would refuse, with their pointers. */
export const validateTemplateComponents = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => [
  ...validateParts(components),
  ...validateProviderFields(components)
]

/** Returns the issues of components in a category. Sample files can be missing. */
export const validateContent = ({
  category,
  components
}: Pick<TemplateContent, "category" | "components">): ReadonlyArray<ValidationIssue> => [
  ...validateParts(components),
  ...validateCategory(category, components)
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

/** Returns the issues of a template that the provider would refuse, with their pointers. */
export const validateTemplate = ({
  category,
  components,
  timeToLive
}: TemplateContent): ReadonlyArray<ValidationIssue> => [
  ...validateTemplateComponents(components),
  ...validateCategory(category, components),
  ...validateTimeToLive(category, timeToLive)
]
