import type { TemplateInputs } from "../MessageTemplate.ts"
import type { TemplateButton } from "./TemplateButton.ts"
import type { TemplateComponents } from "./TemplateComponents.ts"
import { findPlaceholders } from "./templateVariables.ts"

type Entries = ReadonlyArray<readonly [key: string, value: string]>

const ofText = (
  prefix: string,
  part: { readonly text: string; readonly examples?: Readonly<Record<string, string>> } | undefined
): Entries => Object.entries(part?.examples ?? {}).map(([name, example]) => [`${prefix}.${name}`, example])

/** The example of a link is the end of the address, or the whole address. */
const endOf = (url: string, example: string) => {
  const start = url.slice(0, url.indexOf("{{"))
  return example.startsWith(start) ? example.slice(start.length) : example
}

const ofButton = (button: TemplateButton, key: string): Entries => {
  if (button.type === "copy_code") return [[key, button.example]]
  const isVariable = button.type === "url" && findPlaceholders(button.url).length > 0
  return isVariable && button.example !== undefined ? [[key, endOf(button.url, button.example)]] : []
}

const ofButtons = (buttons: ReadonlyArray<TemplateButton>, prefix: string): Entries =>
  buttons.flatMap((button, at) => ofButton(button, `${prefix}.${at}`))

/** Returns the values of the examples that reviewers see. Variables without an example stay open. */
export const exampleValues = ({ body, buttons = [], cards = [], header }: TemplateComponents): TemplateInputs =>
  Object.fromEntries([
    ...(header?.format === "text" ? ofText("header", header) : []),
    ...ofText("body", body),
    ...ofButtons(buttons, "buttons"),
    ...cards.flatMap((card, at) => [
      ...ofText(`cards.${at}.body`, card.body),
      ...ofButtons(card.buttons, `cards.${at}.buttons`)
    ])
  ])
