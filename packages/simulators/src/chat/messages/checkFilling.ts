import { type Fields, listAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"
import type { Refusal } from "../failures.ts"
import { fitsLibraryType, library } from "../templates/library.ts"
import type { KeptTemplate } from "../World.ts"
import { requireCatalog } from "./actions.ts"
import { fillButtons } from "./fillingButtons.ts"
import { fillHeader, fillOffer, fillText } from "./fillingParts.ts"
import type { CheckedContent, Known } from "./Known.ts"
import { type Parameter, parametersAt, textOf } from "./parameters.ts"

const componentTypes = [
  "header",
  "body",
  "button",
  "limited_time_offer",
  "carousel",
  "tap_target_configuration"
] as const
const componentKeys = ["type", "sub_type", "index", "parameters", "cards"]

const maxBody = 1_024
const maxCode = 15

const typedComponents = (value: unknown): ReadonlyArray<Fields> =>
  listAt(value ?? [], "template.components", 30, 0).map((component) => {
    const fields = objectAt(component, "component", componentKeys)
    return { ...fields, type: oneOf(String(fields["type"]).toLowerCase(), "component.type", componentTypes) }
  })

const partOf = (components: ReadonlyArray<Fields>, type: string): Fields | undefined =>
  components.find((component) => component["type"] === type)

const given = (components: ReadonlyArray<Fields>, type: string): ReadonlyArray<Parameter> =>
  components.filter((component) => component["type"] === type).flatMap(({ parameters }) => parametersAt(parameters))

const buttonsOf = (components: ReadonlyArray<Fields>): ReadonlyArray<Fields> => {
  const buttons = partOf(components, "BUTTONS")?.["buttons"]
  return Array.isArray(buttons) ? buttons.map((button) => objectAt(button, "button")) : []
}

const buttonComponents = (components: ReadonlyArray<Fields>) =>
  components.filter((component) => component["type"] === "button")

const findTemplate = (filling: Fields, known: Known): KeptTemplate => {
  const name = textAt(filling["name"], "template.name", 512)
  const language = objectAt(filling["language"], "template.language", ["code", "policy"])
  const code = textAt(language["code"], "template.language.code", 35)
  textIfAny(language["policy"], "template.language.policy", 20)
  const template = known.template(name, code)
  if (template === undefined) return refuse(132_001, `template name (${name}) does not exist in ${code}`)
  if (template.status === "PAUSED") return refuse(132_015, "The template is paused.")
  if (template.status === "DISABLED") return refuse(132_016, "The template is disabled.")
  return template.status === "APPROVED"
    ? template
    : refuse(132_001, `template name (${name}) is not approved in ${code}`)
}

/** Checks the values of an authentication template: the code, in the body and in the button. */
const fillAuthentication = (template: KeptTemplate, components: ReadonlyArray<Fields>) => {
  const [code, ...more] = given(components, "body")
  if (code === undefined || more.length > 0) {
    refuse(132_000, "body: number of localizable_params does not match the expected number of params (1)")
    return
  }
  if (textOf(code).length > maxCode) refuse(132_018, `body: the code must have at most ${maxCode} characters.`)
  fillButtons(buttonsOf(template.components), buttonComponents(components))
}

const checkLibraryValues = ({ libraryName }: KeptTemplate, values: ReadonlyArray<Parameter>) => {
  const types = library.find(({ name }) => name === libraryName)?.body_param_types ?? []
  for (const [index, type] of types.entries()) {
    const value = values[index]
    if (value !== undefined && !fitsLibraryType(type, textOf(value))) {
      refuse(132_012, `body: the parameter ${index + 1} must have the type ${type}.`)
    }
  }
}

const cardsOf = ({ cards }: Fields): ReadonlyArray<ReadonlyArray<Fields>> =>
  listAt(cards ?? [], "cards", 10, 0).map((card) =>
    listAt(objectAt(card, "card")["components"], "components", 3).map((component) => objectAt(component, "component"))
  )

const fillCards = (carousel: Fields, filling: Fields | undefined, isNamed: boolean, known: Known): Refusal | null => {
  const cards = cardsOf(carousel)
  const sent = listAt(filling?.["cards"] ?? [], "cards", 10, 0).map((card) =>
    objectAt(card, "card", ["card_index", "components"])
  )
  const isOfProducts = partOf(cards[0] ?? [], "HEADER")?.["format"] === "PRODUCT"
  const isCountFit = isOfProducts ? sent.length >= 2 : sent.length === cards.length
  if (!isCountFit) return refuse(132_000, `carousel: expected ${cards.length} cards, received ${sent.length}.`)
  const failures = sent.map((card, place) => {
    if (card["card_index"] !== place) refuse(132_012, "carousel: card_index must be the place of the card.")
    const template = cards[isOfProducts ? 0 : place] ?? []
    return fillParts(template, typedComponents(card["components"]), isNamed, 160, known)
  })
  return failures.find((failure) => failure !== null) ?? null
}

const fillParts = (
  template: ReadonlyArray<Fields>,
  components: ReadonlyArray<Fields>,
  isNamed: boolean,
  most: number,
  known: Known
): Refusal | null => {
  const failure = fillHeader(partOf(template, "HEADER"), given(components, "header"), isNamed, known)
  fillText("body", partOf(template, "BODY")?.["text"] ?? "", given(components, "body"), isNamed, most)
  fillButtons(buttonsOf(template), buttonComponents(components))
  return failure
}

const ofCatalog: ReadonlySet<unknown> = new Set(["CATALOG", "MPM", "SPM"])

const usesCatalog = (components: ReadonlyArray<Fields>): boolean =>
  partOf(components, "HEADER")?.["format"] === "PRODUCT" ||
  buttonsOf(components).some(({ type }) => ofCatalog.has(type)) ||
  cardsOf(partOf(components, "CAROUSEL") ?? {}).some(usesCatalog)

/** Groups take templates with text and media. */
const fitsGroups = ({ category, components }: KeptTemplate): boolean =>
  category !== "AUTHENTICATION" &&
  !usesCatalog(components) &&
  ["CAROUSEL", "LIMITED_TIME_OFFER", "CALL_PERMISSION_REQUEST"].every(
    (type) => partOf(components, type) === undefined
  ) &&
  buttonsOf(components).every(({ type }) => ["QUICK_REPLY", "URL", "PHONE_NUMBER"].includes(String(type)))

/** Checks the values of a template in a message. */
export const checkFilling = (value: unknown, known: Known): CheckedContent => {
  const filling = objectAt(value, "template", ["name", "language", "components", "namespace", "policy"])
  const template = findTemplate(filling, known)
  if (known.api === "marketing" && template.category !== "MARKETING") {
    return refuse(134_100, "This call sends marketing templates only.")
  }
  if (usesCatalog(template.components)) requireCatalog(known)
  if (known.isForGroup && !fitsGroups(template)) {
    return refuse(131_051, "Only templates with text and media can be sent to groups.")
  }
  const components = typedComponents(filling["components"])
  const isNamed = template.parameterFormat === "NAMED"
  const result = { template, text: "", isVoice: false }
  if (template.category === "AUTHENTICATION") {
    fillAuthentication(template, components)
    return { ...result, lateFailure: null }
  }
  const failure = fillParts(template.components, components, isNamed, maxBody, known)
  checkLibraryValues(template, given(components, "body"))
  fillOffer(partOf(template.components, "LIMITED_TIME_OFFER"), given(components, "limited_time_offer"), known.now)
  const carousel = partOf(template.components, "CAROUSEL")
  const cards = carousel === undefined ? null : fillCards(carousel, partOf(components, "carousel"), isNamed, known)
  return { ...result, lateFailure: failure ?? cards }
}
