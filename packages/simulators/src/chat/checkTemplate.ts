import { type Fields, listAt, objectAt, oneOf, refuse, textAt, textIfAny } from "./checks.ts"
import type { KeptTemplate } from "./World.ts"

const variablesIn = (text: unknown): ReadonlyArray<string> =>
  typeof text === "string"
    ? [...new Set(Array.from(text.matchAll(/\{\{\s*(\w+)\s*\}\}/gu), ([, name = ""]) => name))]
    : []

const componentOf = (template: KeptTemplate, type: string): Fields | undefined =>
  template.components
    .map((component) => objectAt(component, "component"))
    .find((component) => component["type"] === type)

const parameterForms: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: ["type", "text", "parameter_name"],
  currency: ["type", "currency"],
  date_time: ["type", "date_time"],
  image: ["type", "image"],
  video: ["type", "video"],
  document: ["type", "document"],
  location: ["type", "location"],
  payload: ["type", "payload"],
  coupon_code: ["type", "coupon_code"]
}

const parameterAt = (value: unknown): Fields => {
  const parameter = objectAt(value, "parameter")
  const type = textAt(parameter["type"], "type", 30)
  const form = parameterForms[type]
  if (form === undefined) return refuse(100, `Unknown parameter type ${type}.`)
  objectAt(parameter, "parameter", form)
  if (type === "text" && /[\n\t]| {5,}/u.test(textAt(parameter["text"], "text", 1_024))) {
    return refuse(100, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces.")
  }
  return parameter
}

const checkTexts = (part: string, text: unknown, parameters: ReadonlyArray<Fields>, named: boolean) => {
  const wanted = variablesIn(text)
  if (wanted.length !== parameters.length) {
    return refuse(
      132_000,
      `${part}: number of localizable_params (${parameters.length}) does not match the expected number of params (${wanted.length})`
    )
  }
  const missing = named
    ? wanted.find((name) => parameters.every((parameter) => parameter["parameter_name"] !== name))
    : undefined
  return missing === undefined ? undefined : refuse(132_000, `${part}: the parameter ${missing} is missing.`)
}

const checkHeader = (template: KeptTemplate, given: ReadonlyArray<Fields>, named: boolean) => {
  const header = componentOf(template, "HEADER")
  if (header === undefined) return given.length === 0 ? undefined : refuse(132_000, "The template has no header.")
  const format = String(header["format"]).toLowerCase()
  if (format === "text") return checkTexts("header", header["text"], given, named)
  const [file] = given
  return given.length === 1 && file?.["type"] === format
    ? undefined
    : refuse(132_000, `header: expected one parameter of the type ${format}.`)
}

const buttonTypes: Readonly<Record<string, string>> = { url: "URL", quick_reply: "QUICK_REPLY", copy_code: "COPY_CODE" }
const buttonParameters: Readonly<Record<string, string>> = {
  url: "text",
  quick_reply: "payload",
  copy_code: "coupon_code"
}

const buttonsOf = (template: KeptTemplate): ReadonlyArray<Fields> => {
  const buttons = componentOf(template, "BUTTONS")?.["buttons"]
  return Array.isArray(buttons) ? buttons.map((button) => objectAt(button, "button")) : []
}

const checkButtons = (template: KeptTemplate, given: ReadonlyArray<Fields>) => {
  const buttons = buttonsOf(template)
  const filled = new Set<number>()
  for (const component of given) {
    const subType = oneOf(component["sub_type"], "sub_type", ["url", "copy_code", "quick_reply"])
    const index = Number(component["index"])
    const [parameter, ...more] = listAt(component["parameters"], "parameters", 10).map(parameterAt)
    if (buttons[index]?.["type"] !== buttonTypes[subType]) refuse(132_000, `button ${index}: is not a ${subType}.`)
    if (more.length > 0 || parameter?.["type"] !== buttonParameters[subType]) {
      refuse(132_000, `button ${index}: expected one parameter of the type ${buttonParameters[subType]}.`)
    }
    filled.add(index)
  }
  const missing = buttons.findIndex(
    (button, index) => !filled.has(index) && (button["type"] === "COPY_CODE" || variablesIn(button["url"]).length > 0)
  )
  return missing === -1 ? undefined : refuse(132_000, `button ${missing}: a parameter is missing.`)
}

const parametersOf = (components: ReadonlyArray<Fields>, type: string): ReadonlyArray<Fields> =>
  components
    .filter((component) => component["type"] === type)
    .flatMap((component) => listAt(component["parameters"], "parameters", 100, 0).map(parameterAt))

/** Checks what fills a template; the template that it fills. */
export const checkTemplate = (
  value: unknown,
  find: (name: string, language: string) => KeptTemplate | undefined
): KeptTemplate => {
  const filling = objectAt(value, "template", ["name", "language", "components", "namespace"])
  const name = textAt(filling["name"], "template.name", 512)
  const language = objectAt(filling["language"], "template.language", ["code", "policy"])
  const code = textAt(language["code"], "template.language.code", 35)
  textIfAny(language["policy"], "template.language.policy", 20)
  const template = find(name, code)
  if (template === undefined) return refuse(132_001, `template name (${name}) does not exist in ${code}`)
  if (template.status === "PAUSED") return refuse(132_015, "The template is paused.")
  if (template.status === "DISABLED") return refuse(132_016, "The template is disabled.")
  if (template.status !== "APPROVED") return refuse(132_001, `template name (${name}) is not approved in ${code}`)
  const components = listAt(filling["components"] ?? [], "template.components", 20, 0).map((component) => {
    const fields = objectAt(component, "component", ["type", "sub_type", "index", "parameters"])
    oneOf(fields["type"], "component.type", ["header", "body", "button"])
    return fields
  })
  const named = template.parameterFormat === "NAMED"
  checkHeader(template, parametersOf(components, "header"), named)
  checkTexts("body", componentOf(template, "BODY")?.["text"], parametersOf(components, "body"), named)
  checkButtons(
    template,
    components.filter((component) => component["type"] === "button")
  )
  return template
}

/** Every file that fills a template. */
export const filesOfTemplate = (value: unknown): ReadonlyArray<Fields> =>
  listAt(objectAt(value, "template")["components"] ?? [], "components", 20, 0)
    .flatMap((component) => listAt(objectAt(component, "component")["parameters"] ?? [], "parameters", 100, 0))
    .map((parameter) => objectAt(parameter, "parameter"))
    .flatMap((parameter) =>
      ["image", "video", "document"].flatMap((type) =>
        parameter[type] === undefined ? [] : [objectAt(parameter[type], type)]
      )
    )

/** Checks a template that is submitted. */
export const checkSubmission = (value: unknown) => {
  const given = objectAt(value, "template")
  const name = textAt(given["name"], "name", 512)
  if (!/^[a-z0-9_]+$/u.test(name)) refuse(100, "Param name must have lower-case letters, digits and underscores only.")
  const language = textAt(given["language"], "language", 20)
  if (!/^[a-z]{2,3}(?:_[A-Za-z0-9]{2,8})*$/u.test(language)) refuse(100, "Param language is not supported.")
  const category = oneOf(given["category"], "category", ["MARKETING", "UTILITY", "AUTHENTICATION"])
  const parameterFormat = oneOf(given["parameter_format"] ?? "POSITIONAL", "parameter_format", ["POSITIONAL", "NAMED"])
  const components = listAt(given["components"], "components", 10).map((component) => objectAt(component, "component"))
  const bodies = components.filter((component) => component["type"] === "BODY")
  if (bodies.length !== 1) refuse(100, "A template has one component of the type BODY.")
  for (const component of components) {
    const type = oneOf(component["type"], "component.type", ["HEADER", "BODY", "FOOTER", "BUTTONS"])
    if (type === "BODY") textAt(component["text"], "text", 1_024)
    if (type === "FOOTER") textAt(component["text"], "text", 60)
    if (type === "BUTTONS") listAt(component["buttons"], "buttons", 10)
    if (variablesIn(component["text"]).length > 0 && component["example"] === undefined) {
      refuse(100, `Component of type ${type} is missing expected field(s) (example)`)
    }
  }
  return { name, language, category, parameterFormat, components } as const
}
