import type { ValidationIssue } from "../../../kernel/index.ts"
import type { TemplateComponents } from "../MessageTemplate.ts"
import { isNamedPlaceholder, isNamedStyle, isNumberedPlaceholder, findPlaceholders } from "./templateVariables.ts"

interface TextPart {
  readonly pointer: string
  readonly text: string
  readonly examples: Readonly<Record<string, string>> | undefined
  readonly most: number
}

const toTextParts = ({ body, header }: TemplateComponents): ReadonlyArray<TextPart> => [
  ...(header?.format === "text"
    ? [{ pointer: "/components/header", text: header.text, examples: header.examples, most: 1 }]
    : []),
  { pointer: "/components/body", text: body.text, examples: body.examples, most: 50 }
]

const issue = (pointer: string, message: string): ValidationIssue => ({ pointer, message })

const isSequential = (names: ReadonlyArray<string>) => names.every((name, at) => name === String(at + 1))

const validatePlaceholders = (
  { pointer, text }: TextPart,
  names: ReadonlyArray<string>,
  isNamedThroughout: boolean
) => {
  const at = `${pointer}/text`
  const wrong = names.filter((name) => !isNumberedPlaceholder(name) && !isNamedPlaceholder(name))
  if (wrong.length > 0 || /\{\{|\}\}/u.test(text.replaceAll(/\{\{\s*[^{}]*?\s*\}\}/gu, ""))) {
    return [issue(at, "Expected variables such as {{1}}, or such as {{first_name}}")]
  }
  if (isNamedThroughout && names.some(isNumberedPlaceholder)) {
    return [issue(at, "Expected variables of one style: either {{1}} or {{first_name}}")]
  }
  return !isNamedThroughout && !isSequential(names)
    ? [issue(at, "Expected variables numbered from {{1}}, without gaps")]
    : []
}

const validateExamples = ({ examples = {}, pointer }: TextPart, names: ReadonlyArray<string>) => [
  ...names
    .filter((name) => !Object.hasOwn(examples, name))
    .map((name) => issue(`${pointer}/examples`, `Expected an example of {{${name}}}`)),
  ...Object.keys(examples)
    .filter((name) => !names.includes(name))
    .map((name) => issue(`${pointer}/examples`, `The text has no variable {{${name}}}`))
]

const validateText = (text: TextPart, isNamedThroughout: boolean): ReadonlyArray<ValidationIssue> => {
  const names = findPlaceholders(text.text)
  return [
    ...(names.length > text.most ? [issue(`${text.pointer}/text`, `Expected at most ${text.most} variables`)] : []),
    ...validatePlaceholders(text, names, isNamedThroughout),
    ...validateExamples(text, names)
  ]
}

const validateBodyEdges = ({ body }: TemplateComponents): ReadonlyArray<ValidationIssue> =>
  /^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/u.test(body.text)
    ? [
        issue(
          "/components/body/text",
          "Expected no variable at the start or at the end, because the provider rejects it"
        )
      ]
    : []

const validateButtons = ({ buttons = [] }: TemplateComponents): ReadonlyArray<ValidationIssue> =>
  buttons.flatMap((button, at) => {
    if (button.type !== "url") return []
    const names = findPlaceholders(button.url)
    if (names.length === 0) return []
    const pointer = `/components/buttons/${at}`
    return [
      ...(names.length > 1 || !button.url.endsWith("{{1}}")
        ? [issue(`${pointer}/url`, "Expected at most one variable, {{1}}, at the end of the address")]
        : []),
      ...(button.example === undefined ? [issue(`${pointer}/example`, "Expected an example of {{1}}")] : [])
    ]
  })

const validateFooter = ({ footer }: TemplateComponents): ReadonlyArray<ValidationIssue> =>
  footer !== undefined && findPlaceholders(footer.text).length > 0
    ? [issue("/components/footer/text", "Expected no variables in a footer")]
    : []

/** Returns the issues for which the provider would refuse these components, each with its pointer. */
export const validateTemplateComponents = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => {
  const isNamedThroughout = isNamedStyle(components)
  return [
    ...toTextParts(components).flatMap((text) => validateText(text, isNamedThroughout)),
    ...validateBodyEdges(components),
    ...validateFooter(components),
    ...validateButtons(components)
  ]
}
