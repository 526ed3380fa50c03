import type { ValidationIssue } from "../../../kernel/index.ts"
import type { TemplateComponents } from "./TemplateComponents.ts"
import {
  findPlaceholders,
  isNamedPlaceholder,
  isNamedStyle,
  isNumberedPlaceholder,
  placeholderNames
} from "./templateVariables.ts"

interface TextRule {
  readonly pointer: string
  readonly text: string
  readonly examples: Readonly<Record<string, string>> | undefined
  readonly maxVariables: number
  readonly isBody: boolean
}

export const issue = (pointer: string, message: string): ValidationIssue => ({ pointer, message })

const toTexts = ({ body, cards = [], header }: TemplateComponents): ReadonlyArray<TextRule> => [
  ...(header?.format === "text"
    ? [{ ...textOf(header), pointer: "/components/header", maxVariables: 1, isBody: false }]
    : []),
  ...(body === undefined ? [] : [{ ...textOf(body), pointer: "/components/body", maxVariables: 50, isBody: true }]),
  ...cards.flatMap((card, at) =>
    card.body === undefined
      ? []
      : [{ ...textOf(card.body), pointer: `/components/cards/${at}/body`, maxVariables: 50, isBody: true }]
  )
]

const textOf = ({ examples, text }: { readonly text: string; readonly examples?: TextRule["examples"] }) => ({
  text,
  examples
})

const isSequential = (names: ReadonlyArray<string>) => names.every((name, at) => name === String(at + 1))

const anyPlaceholder = /\{\{[^{}]*\}\}/gu

const validatePlaceholders = ({ pointer, text }: TextRule, names: ReadonlyArray<string>, isNamed: boolean) => {
  const at = `${pointer}/text`
  const isWrong =
    names.some((name) => !isNumberedPlaceholder(name) && !isNamedPlaceholder(name)) ||
    /\{\{|\}\}/u.test(text.replaceAll(anyPlaceholder, ""))
  return [
    ...(isWrong
      ? [
          issue(
            at,
            "Expected variables such as {{1}}, or such as {{first_name}} with lower-case letters and underscores"
          )
        ]
      : []),
    ...(/\{\{\s|\s\}\}/u.test(text) ? [issue(at, "Expected no spaces inside the braces of a variable")] : []),
    ...(!isWrong && isNamed && names.some(isNumberedPlaceholder)
      ? [issue(at, "Expected variables of one style: either {{1}} or {{first_name}}")]
      : []),
    ...(placeholderNames(text).length > names.length ? [issue(at, "Expected each variable once")] : []),
    ...(!isWrong && !isNamed && !isSequential(names)
      ? [issue(at, "Expected variables numbered from {{1}}, without gaps")]
      : [])
  ]
}

const validateExamples = ({ examples = {}, pointer }: TextRule, names: ReadonlyArray<string>) => [
  ...names
    .filter((name) => !Object.hasOwn(examples, name))
    .map((name) => issue(`${pointer}/examples`, `Expected an example of {{${name}}}`)),
  ...Object.keys(examples)
    .filter((name) => !names.includes(name))
    .map((name) => issue(`${pointer}/examples`, `The text has no variable {{${name}}}`))
]

/** The provider refuses texts with too many variables for their length. It does not publish the ratio, so this is the lowest one. */
const hasTooFewWords = (text: string, variables: number) =>
  text
    .replaceAll(anyPlaceholder, " ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "").length < variables

const validatePositions = ({ pointer, text }: TextRule, names: ReadonlyArray<string>) => [
  ...(/^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/u.test(text)
    ? [issue(`${pointer}/text`, "Expected no variable at the start or at the end, because the provider rejects it")]
    : []),
  ...(/\{\{[^{}]*\}\}\s*\{\{[^{}]*\}\}/u.test(text)
    ? [issue(`${pointer}/text`, "Expected text between two variables")]
    : []),
  ...(hasTooFewWords(text, names.length)
    ? [issue(`${pointer}/text`, "Expected more words for this number of variables")]
    : [])
]

const markdown = /\*[^*]+\*|(?<![\p{L}\p{N}])_[^_]+_(?![\p{L}\p{N}])|~[^~]+~|`|\n/u

const validateHeader = ({ pointer, text }: TextRule) =>
  markdown.test(text.replaceAll(anyPlaceholder, ""))
    ? [issue(`${pointer}/text`, "Expected one line without formatting such as *bold*")]
    : []

const validateText = (text: TextRule, isNamed: boolean): ReadonlyArray<ValidationIssue> => {
  const names = findPlaceholders(text.text)
  return [
    ...(names.length > text.maxVariables
      ? [
          issue(
            `${text.pointer}/text`,
            `Expected at most ${text.maxVariables} ${text.maxVariables === 1 ? "variable" : "variables"}`
          )
        ]
      : []),
    ...validatePlaceholders(text, names, isNamed),
    ...validateExamples(text, names),
    ...(text.isBody ? validatePositions(text, names) : validateHeader(text))
  ]
}

const validateFooter = ({ footer }: TemplateComponents): ReadonlyArray<ValidationIssue> =>
  footer !== undefined && findPlaceholders(footer.text).length > 0
    ? [issue("/components/footer/text", "Expected no variables in a footer")]
    : []

/** Returns the issues of the texts: their variables, examples and format. */
export const validateTexts = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => {
  const isNamed = isNamedStyle(components)
  return [...toTexts(components).flatMap((text) => validateText(text, isNamed)), ...validateFooter(components)]
}
