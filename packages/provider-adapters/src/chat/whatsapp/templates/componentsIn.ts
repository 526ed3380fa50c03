import { findPlaceholders, TemplateComponents } from "@parley/domain/messaging"
import { Option, Schema } from "effect"
import { at, listAt, numberAt, textAt, textsIn } from "../../../json.ts"
import { buttonsIn, otpTypeOf } from "./buttonsIn.ts"

const typeOf = (component: unknown) => textAt(component, "type")?.toUpperCase() ?? ""

/** Reads the examples of a text by name. Missing and empty examples are left out. */
const examplesIn = (component: unknown, part: "header" | "body", text: string) => {
  const list = listAt(component, "example", `${part}_text`)
  const [first] = list
  const values = textsIn(Array.isArray(first) ? first : list)
  const positional = findPlaceholders(text).map((name, index) => [name, values[index] ?? ""] as const)
  const named = listAt(component, "example", `${part}_text_named_params`).map(
    (entry) => [textAt(entry, "param_name") ?? "", textAt(entry, "example") ?? ""] as const
  )
  const found = (named.length === 0 ? positional : named).filter(([name, value]) => name !== "" && value !== "")
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) }
}

const textIn = (component: unknown, part: "header" | "body") => {
  const text = textAt(component, "text") ?? ""
  return { text, ...examplesIn(component, part, text) }
}

const headerIn = (component: unknown) => {
  const format = textAt(component, "format")?.toLowerCase() ?? ""
  if (format === "text") return { format, ...textIn(component, "header") }
  const [link] = textsIn(listAt(component, "example", "header_handle"))
  return { format, ...(link === undefined ? {} : { link }) }
}

/** Reads a card; `null` if a part is unknown. */
const cardIn = (card: unknown): object | null => {
  const parts = listAt(card, "components")
  const partOf = (type: string) => parts.find((part) => typeOf(part) === type)
  const [header, body, buttons] = [partOf("HEADER"), partOf("BODY"), partOf("BUTTONS")]
  const read = buttonsIn(buttons)
  const known = [header, body, buttons].filter((part) => part !== undefined).length
  return header === undefined || read === null || known !== parts.length
    ? null
    : { header: headerIn(header), ...(body === undefined ? {} : { body: textIn(body, "body") }), buttons: read }
}

const cardsIn = (component: unknown): ReadonlyArray<object> | null => {
  const cards = listAt(component, "cards")
  const known = cards.map(cardIn).filter((card) => card !== null)
  return known.length === cards.length ? known : null
}

const componentIn = (component: unknown): object | null => {
  switch (typeOf(component)) {
    case "HEADER":
      return { header: headerIn(component) }
    case "BODY":
      return { body: textIn(component, "body") }
    case "FOOTER":
      return { footer: { text: textAt(component, "text") } }
    case "BUTTONS": {
      const buttons = buttonsIn(component)
      return buttons === null ? null : buttons.length === 0 ? {} : { buttons }
    }
    case "LIMITED_TIME_OFFER": {
      const hasExpiration = at(component, "limited_time_offer", "has_expiration")
      return {
        limitedTimeOffer: {
          text: textAt(component, "limited_time_offer", "text"),
          ...(typeof hasExpiration === "boolean" ? { hasExpiration } : {})
        }
      }
    }
    case "CAROUSEL": {
      const cards = cardsIn(component)
      return cards === null ? null : { cards }
    }
    case "CALL_PERMISSION_REQUEST":
      return { callPermissionRequest: true }
    default:
      return null
  }
}

const appsIn = (button: unknown) => {
  const apps = listAt(button, "supported_apps").map((app) => ({
    packageName: textAt(app, "package_name"),
    signatureHash: textAt(app, "signature_hash")
  }))
  return apps.length === 0 ? {} : { apps }
}

/** Reads the content of an authentication template; `null` if it is none. */
const authenticationIn = (components: ReadonlyArray<unknown>): object | null => {
  const partOf = (type: string) => components.find((component) => typeOf(component) === type)
  const [button] = listAt(partOf("BUTTONS"), "buttons")
  const transfer = otpTypeOf(button)
  if (transfer === null) return null
  const [body, footer] = [partOf("BODY"), partOf("FOOTER")]
  const recommendation = at(body, "add_security_recommendation")
  const expiryMinutes = numberAt(footer, "code_expiration_minutes")
  const [copyText, autofillText] = [textAt(button, "text"), textAt(button, "autofill_text")]
  const text = textAt(body, "text")
  return {
    transfer,
    ...(typeof recommendation === "boolean" ? { securityRecommendation: recommendation } : {}),
    ...(expiryMinutes === null ? {} : { expiryMinutes }),
    ...(copyText === null ? {} : { copyText }),
    ...(autofillText === null ? {} : { autofillText }),
    ...appsIn(button),
    ...(at(button, "zero_tap_terms_accepted") === true ? { zeroTapTermsAccepted: true } : {}),
    ...(text === null ? {} : { text })
  }
}

const decode = Schema.decodeUnknownOption(TemplateComponents)

const isJson = Schema.is(Schema.Json)

/**
 * Reads the components of a template. Unknown components, and values outside of the known limits, stay in the provider's form. A template with such a
 * component is shown, and it cannot be sent.
 */
export const componentsIn = (components: ReadonlyArray<unknown>): TemplateComponents => {
  const authentication = authenticationIn(components)
  const read = authentication === null ? null : Option.getOrNull(decode({ authentication }))
  if (read !== null) return read
  const known: Array<TemplateComponents> = []
  const unsupported: Array<Schema.Json> = []
  for (const component of components) {
    const found = componentIn(component)
    const decoded = found === null ? Option.none() : decode(found)
    if (Option.isSome(decoded)) known.push(decoded.value)
    else if (isJson(component)) unsupported.push(component)
  }
  return Object.assign({}, ...known, unsupported.length === 0 ? {} : { unsupported })
}
