import { type Fields, listAt, objectAt, oneOf, refuse, refusePlainly, textAt } from "../checks.ts"
import { checkAuthentication } from "./authentication.ts"
import { checkButtons } from "./buttons.ts"
import { checkCarousel } from "./carousel.ts"
import { checkHeader } from "./headers.ts"
import { checkDisplayFormat, checkKind } from "./kinds.ts"
import type { NewTemplate } from "./life.ts"
import type { SubmissionRules } from "./rules.ts"
import { badBody, badComponents, badFooter, badHeader, tooLong } from "./subcodes.ts"
import { checkBodyText, type ParameterFormat, variablesIn } from "./textRules.ts"

const types = [
  "HEADER",
  "BODY",
  "FOOTER",
  "BUTTONS",
  "LIMITED_TIME_OFFER",
  "CALL_PERMISSION_REQUEST",
  "CAROUSEL"
] as const
const headerFormats = ["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "GIF", "LOCATION", "PRODUCT"]

const ttlBounds: Readonly<Record<string, readonly [least: number, most: number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000]
}

/** Seconds until an undelivered message expires; -1 is 30 days. */
export const sendTtlAt = (value: unknown, category: string): number => {
  const seconds = Number(value)
  const [least, most] = ttlBounds[category] ?? [0, 0]
  if (seconds === -1 && category !== "MARKETING") return seconds
  return Number.isInteger(seconds) && seconds >= least && seconds <= most
    ? seconds
    : refusePlainly(
        100,
        `(#100) message_send_ttl_seconds must be from ${least} to ${most} for the category ${category}.`
      )
}

const checkFooter = (component: Fields): Fields => {
  const text = component["text"]
  if (typeof text !== "string" || text.trim() === "") return badFooter("The footer needs a text.")
  if (text.length > 60) return tooLong("footer", 60)
  return variablesIn(text).length > 0 ? badFooter("The footer cannot have variables.") : component
}

const checkOffer = (component: Fields, components: ReadonlyArray<Fields>, category: string): Fields => {
  const offer = objectAt(component["limited_time_offer"], "limited_time_offer")
  const header = components.find((each) => each["type"] === "HEADER")
  if (category !== "MARKETING") return badComponents("A limited-time offer is for marketing templates.")
  if (components.some((each) => each["type"] === "FOOTER")) {
    return badComponents("A limited-time offer cannot have a footer.")
  }
  if (header !== undefined && !["IMAGE", "VIDEO"].includes(String(header["format"]).toUpperCase())) {
    return badHeader("The header of a limited-time offer must be an image or a video.")
  }
  if (textAt(offer["text"], "limited_time_offer.text", 1_000).length > 16) return tooLong("limited-time offer", 16)
  const buttons: unknown = components.find((each) => each["type"] === "BUTTONS")?.["buttons"]
  const kinds = Array.isArray(buttons)
    ? buttons.map((button) => String(objectAt(button, "button")["type"]).toUpperCase())
    : []
  const expected = kinds.includes("COPY_CODE") ? kinds[0] === "COPY_CODE" && kinds[1] === "URL" : kinds[0] === "URL"
  return expected
    ? component
    : badComponents("A limited-time offer has a copy code button first, and then a URL button.")
}

const checkPart = (
  component: Fields,
  all: ReadonlyArray<Fields>,
  category: string,
  format: ParameterFormat,
  rules: SubmissionRules
): Fields => {
  switch (component["type"]) {
    case "HEADER":
      return checkHeader(component, format, { ...rules, formats: headerFormats })
    case "BODY":
      checkBodyText(component, format, all.some((each) => each["type"] === "LIMITED_TIME_OFFER") ? 600 : 1_024)
      return component
    case "FOOTER":
      return checkFooter(component)
    case "BUTTONS":
      return { ...component, buttons: checkButtons(component, { category, hasCatalog: rules.hasCatalog, most: 10 }) }
    case "LIMITED_TIME_OFFER":
      return checkOffer(component, all, category)
    case "CAROUSEL":
      return checkCarousel(component, category, format, rules)
    default:
      return component
  }
}

/** Checks the components of a template. Types and formats can be in small letters; the result has capitals. */
export const checkComponents = (
  category: string,
  components: ReadonlyArray<Fields>,
  format: ParameterFormat,
  rules: SubmissionRules
): ReadonlyArray<Fields> => {
  const typed = components.map((component) => ({
    ...component,
    type: oneOf(String(component["type"]).toUpperCase(), "component.type", types)
  }))
  const names = typed.map(({ type }) => type)
  if (new Set(names).size < names.length) return badComponents("A template has one component of each type.")
  if (!names.includes("BODY")) return badBody("A template needs a component of the type BODY.")
  if (category === "AUTHENTICATION") return checkAuthentication(typed)
  const checked = typed.map((component) => checkPart(component, typed, category, format, rules))
  checkKind(category, checked)
  return checked
}

/** Checks a template that is submitted. */
export const checkSubmission = (value: unknown, rules: SubmissionRules): Omit<NewTemplate, "businessId"> => {
  const given = objectAt(value, "template")
  const name = textAt(given["name"], "name", 512)
  if (!/^[a-z0-9_]+$/u.test(name)) {
    refuse(100, "Param name must have lower-case letters, digits and underscores only.")
  }
  const language = textAt(given["language"], "language", 20)
  if (!/^[a-z]{2,3}(?:_[A-Za-z0-9]{2,8})*$/u.test(language)) refuse(100, "Param language is not supported.")
  const category = oneOf(String(given["category"] ?? "").toUpperCase(), "category", [
    "MARKETING",
    "UTILITY",
    "AUTHENTICATION"
  ])
  const format = oneOf(String(given["parameter_format"] ?? "POSITIONAL").toUpperCase(), "parameter_format", [
    "POSITIONAL",
    "NAMED"
  ])
  const components = checkComponents(
    category,
    listAt(given["components"], "components", 20).map((component) => objectAt(component, "component")),
    format,
    rules
  )
  checkDisplayFormat(given["display_format"], components)
  const ttl = given["message_send_ttl_seconds"]
  return {
    name,
    language,
    category,
    parameterFormat: format,
    components,
    sendTtlSeconds: ttl === undefined ? null : sendTtlAt(ttl, category),
    libraryName: null
  }
}
