import type { Fault } from "../../../kernel/index.ts"
import type { TemplateComponents } from "../MessageTemplate.ts"
import { isNamed, isNamedStyle, isNumbered, placeholdersIn } from "./templateVariables.ts"

interface Text {
  readonly pointer: string
  readonly text: string
  readonly examples: Readonly<Record<string, string>> | undefined
  readonly most: number
}

const textsOf = ({ body, header }: TemplateComponents): ReadonlyArray<Text> => [
  ...(header?.format === "text"
    ? [{ pointer: "/components/header", text: header.text, examples: header.examples, most: 1 }]
    : []),
  { pointer: "/components/body", text: body.text, examples: body.examples, most: 50 }
]

const fault = (pointer: string, message: string): Fault => ({ pointer, message })

const inOrder = (names: ReadonlyArray<string>) => names.every((name, at) => name === String(at + 1))

const spelling = ({ pointer, text }: Text, names: ReadonlyArray<string>, isNamedThroughout: boolean) => {
  const at = `${pointer}/text`
  const wrong = names.filter((name) => !isNumbered(name) && !isNamed(name))
  if (wrong.length > 0 || /\{\{|\}\}/u.test(text.replaceAll(/\{\{\s*[^{}]*?\s*\}\}/gu, ""))) {
    return [fault(at, "Expected variables such as {{1}}, or such as {{first_name}}")]
  }
  if (isNamedThroughout && names.some(isNumbered)) {
    return [fault(at, "Expected variables of one style: either {{1}} or {{first_name}}")]
  }
  return !isNamedThroughout && !inOrder(names)
    ? [fault(at, "Expected variables numbered from {{1}} on, without a gap")]
    : []
}

const examplesMissing = ({ examples = {}, pointer }: Text, names: ReadonlyArray<string>) => [
  ...names
    .filter((name) => !Object.hasOwn(examples, name))
    .map((name) => fault(`${pointer}/examples`, `Expected an example of {{${name}}}`)),
  ...Object.keys(examples)
    .filter((name) => !names.includes(name))
    .map((name) => fault(`${pointer}/examples`, `There is no variable {{${name}}} in the text`))
]

const ofText = (text: Text, isNamedThroughout: boolean): ReadonlyArray<Fault> => {
  const names = placeholdersIn(text.text)
  return [
    ...(names.length > text.most ? [fault(`${text.pointer}/text`, `Expected at most ${text.most} variables`)] : []),
    ...spelling(text, names, isNamedThroughout),
    ...examplesMissing(text, names)
  ]
}

const edges = ({ body }: TemplateComponents): ReadonlyArray<Fault> =>
  /^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/u.test(body.text)
    ? [fault("/components/body/text", "Expected no variable at the beginning or at the end: the provider refuses that")]
    : []

const ofButtons = ({ buttons = [] }: TemplateComponents): ReadonlyArray<Fault> =>
  buttons.flatMap((button, at) => {
    if (button.type !== "url") return []
    const names = placeholdersIn(button.url)
    if (names.length === 0) return []
    const pointer = `/components/buttons/${at}`
    return [
      ...(names.length > 1 || !button.url.endsWith("{{1}}")
        ? [fault(`${pointer}/url`, "Expected at most one variable, {{1}}, at the end of the address")]
        : []),
      ...(button.example === undefined ? [fault(`${pointer}/example`, "Expected an example of {{1}}")] : [])
    ]
  })

const plainFooter = ({ footer }: TemplateComponents): ReadonlyArray<Fault> =>
  footer !== undefined && placeholdersIn(footer.text).length > 0
    ? [fault("/components/footer/text", "Expected no variables in a footer")]
    : []

/** What the provider would refuse about these components, each with where it is. */
export const faultsOf = (components: TemplateComponents): ReadonlyArray<Fault> => {
  const isNamedThroughout = isNamedStyle(components)
  return [
    ...textsOf(components).flatMap((text) => ofText(text, isNamedThroughout)),
    ...edges(components),
    ...plainFooter(components),
    ...ofButtons(components)
  ]
}
