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

/** Returns the issues of the texts and buttons, and of their combination in a category. Sample files can be missing. */
export const validateContent = ({
  category,
  components
}: Pick<TemplateContent, "category" | "components">): ReadonlyArray<ValidationIssue> => [
  ...validateTexts(components),
  ...validateButtons(components.buttons ?? [], "/components/buttons"),
  ...validateCombination(components),
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
  ...validateContent({ category, components }),
  ...validateProviderFields(components),
  ...validateTimeToLive(category, timeToLive)
]
