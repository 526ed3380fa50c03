import { DateTime } from "effect"
import type { ValidationIssue } from "../../../kernel/index.ts"
import type { MessageTemplate, TemplateInputs } from "../MessageTemplate.ts"
import type { FilledButton, FilledCard, FilledTemplate } from "./FilledTemplate.ts"
import type { TemplateButton } from "./TemplateButton.ts"
import type { TemplateCard } from "./TemplateComponents.ts"
import { parseCoordinates, parseExpiry, parseObject, parseSections, templateValueIssue } from "./templateValues.ts"
import { fillableCards, findPlaceholders, isNamedStyle, isProductCarousel } from "./templateVariables.ts"

/** Returns the JSON pointer of a variable's value, below the pointer of the values. */
export const valuePointer = (values: string, key: string): string =>
  `${values}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`

const validateTemplateValues = (
  { variables }: Pick<MessageTemplate, "variables">,
  values: TemplateInputs,
  at: string
): ReadonlyArray<ValidationIssue> => {
  const known = new Set(variables.map(({ key }) => key))
  return [
    ...variables.flatMap((variable) => {
      const pointer = valuePointer(at, variable.key)
      if (!Object.hasOwn(values, variable.key)) {
        if (variable.isOptional === true) return []
        const message =
          variable.kind === "unsupported" ? templateValueIssue(variable, "") : "Expected a value for this variable"
        return [{ pointer, message: message ?? "" }]
      }
      const message = templateValueIssue(variable, values[variable.key] ?? "")
      return message === null ? [] : [{ pointer, message }]
    }),
    ...Object.keys(values)
      .filter((key) => !known.has(key))
      .map((key) => ({ pointer: valuePointer(at, key), message: "The template does not have this variable" }))
  ]
}

/** The first card without a value ends a carousel of products. A later card would change its position. */
const validateCardOrder = (
  { components }: Pick<MessageTemplate, "components">,
  values: TemplateInputs,
  at: string
): ReadonlyArray<ValidationIssue> => {
  if (!isProductCarousel(components.cards ?? [])) return []
  const keys = fillableCards(components).map((_, index) => `cards.${index}.productId`)
  const end = keys.findIndex((key) => !Object.hasOwn(values, key))
  return keys
    .slice(end === -1 ? keys.length : end)
    .filter((key) => Object.hasOwn(values, key))
    .map((key) => ({ pointer: valuePointer(at, key), message: "Expected products for all cards before this one" }))
}

/** Returns the issue of an offer that has ended, because the provider refuses it. */
export const validateOfferExpiry = (
  values: TemplateInputs,
  at: string,
  now: DateTime.Utc
): ReadonlyArray<ValidationIssue> => {
  const key = "offer.expiresAt"
  const expiresAt = Object.hasOwn(values, key) ? parseExpiry(values[key] ?? "") : null
  return expiresAt === null || expiresAt > DateTime.toEpochMillis(now)
    ? []
    : [{ pointer: valuePointer(at, key), message: "Expected a time in the future: the offer has ended" }]
}

type Values = Readonly<Record<string, string>>

/** Fields of a template that a message needs. */
type FillableTemplate = Pick<MessageTemplate, "category" | "components" | "language" | "name" | "variables">

const textValues = (prefix: string, text: string | undefined, values: Values) =>
  Object.fromEntries(findPlaceholders(text ?? "").map((name) => [name, values[`${prefix}.${name}`] ?? ""] as const))

const textOr = <Or>(values: Values, key: string, or: Or): string | Or =>
  Object.hasOwn(values, key) ? (values[key] ?? or) : or

const fillHeader = ({ components }: Pick<MessageTemplate, "components">, values: Values): FilledTemplate["header"] => {
  const { header } = components
  if (header === undefined) return { kind: "none" }
  switch (header.format) {
    case "text": {
      const texts = textValues("header", header.text, values)
      return Object.keys(texts).length === 0 ? { kind: "none" } : { kind: "text", values: texts }
    }
    case "location": {
      const found = parseCoordinates(values["header"] ?? "")
      const name = textOr(values, "header.name", null)
      const address = textOr(values, "header.address", null)
      if (found === null) return { kind: "none" }
      return {
        kind: "location",
        ...found,
        ...(name === null ? {} : { name }),
        ...(address === null ? {} : { address })
      }
    }
    case "product":
      return {
        kind: "product",
        catalogId: values["header.catalogId"] ?? "",
        productId: values["header.productId"] ?? ""
      }
    default:
      return { kind: "media", media: header.format, mediaId: values["header"] ?? "", filename: null }
  }
}

const fillButton = (
  button: TemplateButton,
  index: number,
  key: string,
  values: Values
): ReadonlyArray<FilledButton> => {
  switch (button.type) {
    case "url":
      return findPlaceholders(button.url).length === 0 ? [] : [{ index, type: "url", value: values[key] ?? "" }]
    case "copy_code":
      return [{ index, type: "copy_code", value: values[key] ?? "" }]
    case "quick_reply": {
      const payload = textOr(values, `${key}.payload`, null)
      return payload === null ? [] : [{ index, type: "quick_reply", value: payload }]
    }
    case "flow": {
      const data = textOr(values, `${key}.data`, null)
      return [
        {
          index,
          type: "flow",
          token: textOr(values, `${key}.token`, null),
          data: data === null ? null : parseObject(data)
        }
      ]
    }
    case "catalog":
      return [{ index, type: "catalog", productId: textOr(values, `${key}.productId`, null) }]
    case "multi_product":
      return [
        {
          index,
          type: "multi_product",
          productId: values[`${key}.productId`] ?? "",
          sections: parseSections(values[`${key}.sections`] ?? "") ?? []
        }
      ]
    case "voice_call": {
      const minutes = textOr(values, `${key}.minutes`, null)
      const payload = textOr(values, `${key}.payload`, null)
      return minutes === null && payload === null
        ? []
        : [{ index, type: "voice_call", ttlMinutes: minutes === null ? null : Number(minutes), payload }]
    }
    case "order_details":
      return [{ index, type: "order_details", order: parseObject(values[`${key}.order`] ?? "") ?? {} }]
    default:
      return []
  }
}

const fillButtons = (buttons: ReadonlyArray<TemplateButton>, prefix: string, values: Values) =>
  buttons.flatMap((button, index) => fillButton(button, index, `${prefix}.${index}`, values))

const fillCard = ({ body, buttons, header }: TemplateCard, at: number, values: Values): FilledCard => {
  const key = `cards.${at}`
  return {
    header:
      header.format === "product"
        ? {
            kind: "product",
            catalogId: values["cards.catalogId"] ?? "",
            productId: values[`${key}.productId`] ?? ""
          }
        : { kind: "media", media: header.format, mediaId: values[`${key}.header`] ?? "", filename: null },
    body: textValues(`${key}.body`, body?.text, values),
    buttons: fillButtons(buttons, `${key}.buttons`, values)
  }
}

const fillCards = (
  { components }: Pick<MessageTemplate, "components">,
  values: Values
): Pick<FilledTemplate, "cards"> => {
  const { cards = [] } = components
  if (cards.length === 0) return {}
  const used = fillableCards(components).filter(
    (_, at) => at < cards.length || Object.hasOwn(values, `cards.${at}.productId`)
  )
  return { cards: used.map((card, at) => fillCard(card, at, values)) }
}

/** The provider takes the code twice: in the text, and in the button, which it stores as a link. */
const fillAuthentication = (code: string): Pick<FilledTemplate, "body" | "buttons" | "isPhoneOnly"> => ({
  body: { "1": code },
  buttons: [{ index: 0, type: "url", value: code }],
  isPhoneOnly: true
})

/** Fills the template, or returns every issue of the values. `at` is the pointer of the values. */
export const fillTemplate = (
  template: FillableTemplate,
  values: TemplateInputs,
  at: string
): FilledTemplate | ReadonlyArray<ValidationIssue> => {
  const { category, components, language, name } = template
  const faults = [...validateTemplateValues(template, values, at), ...validateCardOrder(template, values, at)]
  if (faults.length > 0) return faults
  const expiresAt = Object.hasOwn(values, "offer.expiresAt") ? parseExpiry(values["offer.expiresAt"] ?? "") : null
  return {
    name,
    language,
    named: isNamedStyle(components),
    header: fillHeader(template, values),
    ...(components.authentication === undefined
      ? {
          body: textValues("body", components.body?.text, values),
          buttons: fillButtons(components.buttons ?? [], "buttons", values)
        }
      : fillAuthentication(values["code"] ?? "")),
    ...(expiresAt === null ? {} : { offerExpiresAt: expiresAt }),
    ...(category === "marketing" ? { isMarketing: true as const } : {}),
    ...fillCards(template, values)
  }
}
