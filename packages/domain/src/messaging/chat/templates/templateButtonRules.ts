import type { ValidationIssue } from "../../../kernel/index.ts"
import type { TemplateButton } from "./TemplateButton.ts"
import { issue } from "./templateTextRules.ts"
import { findPlaceholders } from "./templateVariables.ts"

type ButtonType = TemplateButton["type"]

/** Maximum number of buttons of a type. Up to ten buttons can be quick replies. */
const maxButtons: Readonly<Record<ButtonType, number>> = {
  quick_reply: 10,
  url: 2,
  phone_number: 1,
  copy_code: 1,
  flow: 1,
  catalog: 1,
  multi_product: 1,
  single_product: 1,
  voice_call: 1,
  order_details: 1,
  request_contact_info: 1
}

const validateCounts = (buttons: ReadonlyArray<TemplateButton>, pointer: string) => {
  const counts = new Map<ButtonType, number>()
  return buttons.flatMap(({ type }, at) => {
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    const most = maxButtons[type]
    return count === most + 1
      ? [issue(`${pointer}/${at}/type`, `Expected at most ${most} ${most === 1 ? "button" : "buttons"} of this type`)]
      : []
  })
}

/** Quick replies must be in one block, before or after all others. */
const validateGroups = (buttons: ReadonlyArray<TemplateButton>, pointer: string) => {
  const isReply = buttons.map(({ type }) => type === "quick_reply")
  const changes = isReply.flatMap((reply, at) => (at > 0 && reply !== isReply[at - 1] ? [at] : []))
  const second = changes[1]
  return second === undefined
    ? []
    : [issue(`${pointer}/${second}`, "Expected all quick replies next to each other, and all other buttons as well")]
}

const labelOf = (button: TemplateButton) => ("text" in button ? button.text : undefined)

const validateLabels = (buttons: ReadonlyArray<TemplateButton>, pointer: string) => {
  const labels = buttons.map(labelOf)
  return labels.flatMap((label, at) =>
    label !== undefined && labels.indexOf(label) < at
      ? [issue(`${pointer}/${at}/text`, "Expected a different text on each button")]
      : []
  )
}

const validateUrl = (button: Extract<TemplateButton, { readonly type: "url" }>, pointer: string) => {
  const names = findPlaceholders(button.url)
  if (names.length === 0) return []
  return [
    ...(names.length > 1 || !button.url.endsWith("{{1}}")
      ? [issue(`${pointer}/url`, "Expected at most one variable, {{1}}, at the end of the address")]
      : []),
    ...(button.example === undefined ? [issue(`${pointer}/example`, "Expected an example of {{1}}")] : [])
  ]
}

const validateFlow = (button: Extract<TemplateButton, { readonly type: "flow" }>, pointer: string) => {
  const { action, flowId, flowName, screen } = button
  return [
    ...((flowId === undefined) === (flowName === undefined)
      ? [issue(`${pointer}/flowId`, "Expected either flowId or flowName")]
      : []),
    ...(action === "data_exchange" && screen !== undefined
      ? [issue(`${pointer}/screen`, "Expected no screen: data_exchange asks your endpoint for it")]
      : [])
  ]
}

const validateLabel = (button: TemplateButton, pointer: string) =>
  findPlaceholders(labelOf(button) ?? "").length > 0
    ? [issue(`${pointer}/text`, "Expected no variables in the text of a button")]
    : []

const validateContent = (button: TemplateButton, pointer: string): ReadonlyArray<ValidationIssue> => {
  switch (button.type) {
    case "url":
      return validateUrl(button, pointer)
    case "flow":
      return validateFlow(button, pointer)
    case "copy_code":
      return /^[A-Za-z0-9]{1,20}$/u.test(button.example)
        ? []
        : [issue(`${pointer}/example`, "Expected a code of at most 20 letters and digits")]
    default:
      return []
  }
}

/** Returns the issues of one button, without its neighbours. */
export const validateButton = (button: TemplateButton, pointer: string): ReadonlyArray<ValidationIssue> => [
  ...validateLabel(button, pointer),
  ...validateContent(button, pointer)
]

/** Returns the issues of the buttons of a template, or of a card. */
export const validateButtons = (
  buttons: ReadonlyArray<TemplateButton>,
  pointer: string
): ReadonlyArray<ValidationIssue> => [
  ...validateCounts(buttons, pointer),
  ...validateGroups(buttons, pointer),
  ...validateLabels(buttons, pointer),
  ...buttons.flatMap((button, at) => validateButton(button, `${pointer}/${at}`))
]
