import { type Fields, listAt, objectAt } from "../checks.ts"
import { badButtons, refuseWithoutCatalog, tooLong } from "./subcodes.ts"
import { variablesIn } from "./textRules.ts"

const limits: Readonly<Record<string, number>> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  OTP: 1,
  FLOW: 1,
  CATALOG: 1,
  MPM: 1,
  SPM: 1,
  VOICE_CALL: 1,
  REQUEST_CONTACT_INFO: 1,
  ORDER_DETAILS: 1
}

const maxLabel = 25
const labelled: ReadonlySet<string> = new Set([
  "QUICK_REPLY",
  "URL",
  "PHONE_NUMBER",
  "FLOW",
  "CATALOG",
  "MPM",
  "SPM",
  "VOICE_CALL",
  "ORDER_DETAILS"
])
const withCatalog: ReadonlySet<string> = new Set(["CATALOG", "MPM", "SPM"])

const textIn = (value: unknown): string => (typeof value === "string" ? value : "")

const exampleOf = (button: Fields): unknown => {
  const example = button["example"]
  const first: unknown = Array.isArray(example) ? example[0] : example
  return first
}

const checkUrl = (button: Fields) => {
  const url = textIn(button["url"])
  if (url.length > 2_000) tooLong("button url", 2_000)
  if (!/^https?:\/\/\S+/u.test(url)) badButtons("The url of a button must be an address.")
  const names = variablesIn(url)
  if (names.length === 0) return
  if (names.length > 1 || names[0] !== "1" || !/\{\{\s*1\s*\}\}$/u.test(url)) {
    badButtons("The url of a button can have the variable {{1}} at its end.")
  }
  if (textIn(exampleOf(button)) === "") badButtons("A button with a variable in its url needs an example.")
}

const checkCopyCode = (button: Fields) => {
  const example = textIn(exampleOf(button))
  if (example === "") badButtons("A copy code button needs an example.")
  if (example.length > 20) tooLong("coupon code", 20)
  if (!/^[A-Za-z0-9]+$/u.test(example)) badButtons("A coupon code must have letters and digits only.")
}

const checkFlow = (button: Fields) => {
  const sources = ["flow_id", "flow_name", "flow_json"].filter((key) => button[key] !== undefined)
  if (sources.length !== 1) badButtons("A flow button needs one of flow_id, flow_name and flow_json.")
  const action = textIn(button["flow_action"] ?? "navigate").toLowerCase()
  if (action !== "navigate" && action !== "data_exchange") badButtons("flow_action must be navigate or data_exchange.")
  const icon = button["icon"]
  if (icon !== undefined && !["DOCUMENT", "PROMOTION", "REVIEW"].includes(String(icon))) {
    badButtons("The icon of a flow button must be DOCUMENT, PROMOTION or REVIEW.")
  }
}

const checkButton = (type: string, button: Fields) => {
  if (labelled.has(type)) {
    const label = textIn(button["text"])
    if (label.trim() === "") badButtons(`A button of the type ${type} needs a text.`)
    if (Array.from(label).length > maxLabel) tooLong("button text", maxLabel)
    if (variablesIn(label).length > 0) badButtons("The text of a button cannot have variables.")
  }
  switch (type) {
    case "URL":
      return checkUrl(button)
    case "PHONE_NUMBER": {
      const phone = textIn(button["phone_number"])
      if (phone.length > 20) return tooLong("phone number", 20)
      return /^\+?[\d\s()-]{5,}$/u.test(phone) ? undefined : badButtons("The phone number of a button is not valid.")
    }
    case "COPY_CODE":
      return checkCopyCode(button)
    case "FLOW":
      return checkFlow(button)
    case "REQUEST_CONTACT_INFO":
      return button["text"] === undefined ? undefined : badButtons("The text of the contact request is fixed.")
    default:
      return undefined
  }
}

const checkGrouping = (types: ReadonlyArray<string>) => {
  const changes = types.filter(
    (type, index) => index > 0 && (type === "QUICK_REPLY") !== (types[index - 1] === "QUICK_REPLY")
  )
  if (changes.length > 1) badButtons("Quick replies must be next to each other.")
}

export interface ButtonRules {
  readonly category: string
  readonly hasCatalog: boolean
  readonly most: number
}

/** Checks the buttons of a template, and writes their types in capitals. */
export const checkButtons = (component: Fields, { category, hasCatalog, most }: ButtonRules): ReadonlyArray<Fields> => {
  const given = component["buttons"]
  if (!Array.isArray(given) || given.length === 0) return badButtons("The component needs buttons.")
  if (given.length > most) return badButtons(`A template can have ${most} buttons.`)
  const buttons = listAt(given, "buttons", 10).map((button) => {
    const fields = objectAt(button, "button")
    return { ...fields, type: textIn(fields["type"]).toUpperCase() }
  })
  const types = buttons.map(({ type }) => type)
  for (const type of new Set(types)) {
    const limit = limits[type]
    if (limit === undefined) return badButtons(`The provider does not accept buttons of the type ${type}.`)
    if (types.filter((each) => each === type).length > limit) {
      return badButtons(`A template can have ${limit} buttons of the type ${type}.`)
    }
    if (type === "OTP" && category !== "AUTHENTICATION") {
      return badButtons("One-time password buttons are for authentication templates.")
    }
    if (withCatalog.has(type) && !hasCatalog) return refuseWithoutCatalog()
  }
  checkGrouping(types)
  for (const button of buttons) checkButton(button.type, button)
  return buttons
}
