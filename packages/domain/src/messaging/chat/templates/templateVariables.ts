import { Schema } from "effect"
import type { TemplateButton } from "./TemplateButton.ts"
import type { TemplateCard, TemplateComponents } from "./TemplateComponents.ts"

/** Kind of the value of a variable. */
export const TemplateVariableKind = Schema.Literals([
  "text",
  "image",
  "video",
  "document",
  "gif",
  "location",
  "url_suffix",
  "code",
  "one_time_code",
  "expiry",
  "catalog_id",
  "product_id",
  "product_sections",
  "flow_token",
  "flow_data",
  "payload",
  "minutes",
  "order_details",
  "unsupported"
])
export type TemplateVariableKind = typeof TemplateVariableKind.Type

/** Variable to fill when the template is sent, such as `header.1`, `body.first_name`, `buttons.0` or `cards.0.header`. */
export const TemplateVariable = Schema.Struct({
  key: Schema.String,
  in: Schema.Literals(["header", "body", "buttons", "cards", "offer"]),
  kind: TemplateVariableKind,
  /** `true` if the template can be sent without a value. */
  isOptional: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "TemplateVariable" })
export type TemplateVariable = typeof TemplateVariable.Type

/** Maximum number of cards in a carousel. */
export const maxCards = 10

const placeholder = /\{\{([^{}]*)\}\}/gu

/** Returns all names of the placeholders of a text, in order. */
export const placeholderNames = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(placeholder), ([, name = ""]) => name.trim())

/** Returns the distinct names of the placeholders of a text, in order. */
export const findPlaceholders = (text: string): ReadonlyArray<string> => [...new Set(placeholderNames(text))]

/** Fills the placeholders of the text. Placeholders without a value stay. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, written: string) => {
    const name = written.trim()
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole
  })

/** Whether a placeholder is numbered, as in `{{1}}`. */
export const isNumberedPlaceholder = (name: string): boolean => /^[1-9]\d?$/u.test(name)

/** Whether a placeholder is named, as in `{{first_name}}`. */
export const isNamedPlaceholder = (name: string): boolean => /^[a-z][a-z_]{0,59}$/u.test(name)

/** Whether files of this kind of variable are uploaded, and the kind of the file. */
export const fileKindOf = (kind: TemplateVariableKind): "image" | "video" | "document" | null => {
  switch (kind) {
    case "image":
    case "video":
    case "document":
      return kind
    case "gif":
      return "video"
    default:
      return null
  }
}

/** Whether the value is the same for all recipients of a broadcast or an automation: files and places. */
export const isConstantKind = (kind: TemplateVariableKind): boolean => kind === "location" || fileKindOf(kind) !== null

type Place = TemplateVariable["in"]

const texts = (prefix: string, text: string | undefined, place: Place): ReadonlyArray<TemplateVariable> =>
  findPlaceholders(text ?? "").map((name) => ({ key: `${prefix}.${name}`, in: place, kind: "text" }))

const headerVariables = ({ header }: TemplateComponents): ReadonlyArray<TemplateVariable> => {
  if (header === undefined) return []
  switch (header.format) {
    case "text":
      return texts("header", header.text, "header")
    case "location":
      return [
        { key: "header", in: "header", kind: "location" },
        { key: "header.name", in: "header", kind: "text", isOptional: true },
        { key: "header.address", in: "header", kind: "text", isOptional: true }
      ]
    case "product":
      return [
        { key: "header.catalogId", in: "header", kind: "catalog_id" },
        { key: "header.productId", in: "header", kind: "product_id" }
      ]
    default:
      return [{ key: "header", in: "header", kind: header.format }]
  }
}

const buttonVariables = (button: TemplateButton, key: string, place: Place): ReadonlyArray<TemplateVariable> => {
  switch (button.type) {
    case "quick_reply":
      return [{ key: `${key}.payload`, in: place, kind: "payload", isOptional: true }]
    case "copy_code":
      return [{ key, in: place, kind: "code" }]
    case "url":
      return findPlaceholders(button.url).length > 0 ? [{ key, in: place, kind: "url_suffix" }] : []
    case "flow":
      return [
        { key: `${key}.token`, in: place, kind: "flow_token", isOptional: true },
        { key: `${key}.data`, in: place, kind: "flow_data", isOptional: true }
      ]
    case "catalog":
      return [{ key: `${key}.productId`, in: place, kind: "product_id", isOptional: true }]
    case "multi_product":
      return [
        { key: `${key}.productId`, in: place, kind: "product_id" },
        { key: `${key}.sections`, in: place, kind: "product_sections" }
      ]
    case "voice_call":
      return [
        { key: `${key}.minutes`, in: place, kind: "minutes", isOptional: true },
        { key: `${key}.payload`, in: place, kind: "payload", isOptional: true }
      ]
    case "order_details":
      return [{ key: `${key}.order`, in: place, kind: "order_details" }]
    default:
      return []
  }
}

const cardVariables = ({ body, buttons, header }: TemplateCard, at: number): ReadonlyArray<TemplateVariable> => {
  const key = `cards.${at}`
  return [
    header.format === "product"
      ? { key: `${key}.productId`, in: "cards", kind: "product_id" }
      : { key: `${key}.header`, in: "cards", kind: header.format },
    ...texts(`${key}.body`, body?.text, "cards"),
    ...buttons.flatMap((button, index) => buttonVariables(button, `${key}.buttons.${index}`, "cards"))
  ]
}

const asOptional = (variables: ReadonlyArray<TemplateVariable>): ReadonlyArray<TemplateVariable> =>
  variables.map((variable) => ({ ...variable, isOptional: true }))

/** Whether the cards show products. Such a template is created with two cards and sent with up to ten. */
export const isProductCarousel = (cards: ReadonlyArray<TemplateCard>): boolean => cards[0]?.header.format === "product"

/** Returns the cards to fill. A carousel of products can repeat its last card. */
export const fillableCards = ({ cards = [] }: TemplateComponents): ReadonlyArray<TemplateCard> => {
  const last = cards.at(-1)
  return last === undefined || !isProductCarousel(cards)
    ? cards
    : [...cards, ...Array.from({ length: maxCards - cards.length }, () => last)]
}

const carouselVariables = (components: TemplateComponents): ReadonlyArray<TemplateVariable> => {
  const { cards = [] } = components
  return [
    ...(isProductCarousel(cards) ? [{ key: "cards.catalogId", in: "cards", kind: "catalog_id" } as const] : []),
    ...fillableCards(components).flatMap((card, at) =>
      at < cards.length ? cardVariables(card, at) : asOptional(cardVariables(card, at))
    )
  ]
}

/** Returns the variables to fill when a template of these components is sent. */
export const findTemplateVariables = (components: TemplateComponents): ReadonlyArray<TemplateVariable> => {
  const { authentication, body, buttons = [], limitedTimeOffer, unsupported = [] } = components
  return [
    ...headerVariables(components),
    ...texts("body", body?.text, "body"),
    ...(authentication === undefined ? [] : [{ key: "code", in: "body", kind: "one_time_code" } as const]),
    ...(limitedTimeOffer?.hasExpiration === true
      ? [{ key: "offer.expiresAt", in: "offer", kind: "expiry" } as const]
      : []),
    ...buttons.flatMap((button, at) => buttonVariables(button, `buttons.${at}`, "buttons")),
    ...carouselVariables(components),
    // No value fits this variable, so the template cannot be sent.
    ...(unsupported.length === 0 ? [] : [{ key: "unsupported", in: "body", kind: "unsupported" } as const])
  ]
}

/** Whether the texts use named placeholders instead of numbered ones. */
export const isNamedStyle = ({ body, cards = [], header }: TemplateComponents): boolean =>
  [
    ...findPlaceholders(body?.text ?? ""),
    ...(header?.format === "text" ? findPlaceholders(header.text) : []),
    ...cards.flatMap((card) => findPlaceholders(card.body?.text ?? ""))
  ].some((name) => !/^\d+$/u.test(name))
