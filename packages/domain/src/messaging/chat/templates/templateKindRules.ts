import type { ValidationIssue } from "../../../kernel/index.ts"
import type { TemplateCategory } from "./TemplateCategory.ts"
import type { TemplateCard, TemplateComponents } from "./TemplateComponents.ts"
import { validateButtons } from "./templateButtonRules.ts"
import { issue } from "./templateTextRules.ts"
import { isProductCarousel } from "./templateVariables.ts"

const validateAuthentication = ({ authentication, ...others }: TemplateComponents): ReadonlyArray<ValidationIssue> => {
  if (authentication === undefined) return []
  const at = "/components/authentication"
  const { apps, autofillText, transfer, zeroTapTermsAccepted } = authentication
  const surplus = Object.keys(others).map((name) =>
    issue(`/components/${name}`, "Expected no other component: the provider writes authentication templates")
  )
  if (transfer === "copy_code") {
    return [
      ...surplus,
      ...(apps === undefined ? [] : [issue(`${at}/apps`, "Expected no apps for copy_code")]),
      ...(autofillText === undefined ? [] : [issue(`${at}/autofillText`, "Expected no autofill text for copy_code")])
    ]
  }
  return [
    ...surplus,
    ...(apps === undefined ? [issue(`${at}/apps`, "Expected the apps that receive the code")] : []),
    ...(transfer === "zero_tap" && zeroTapTermsAccepted !== true
      ? [issue(`${at}/zeroTapTermsAccepted`, "Expected true: zero-tap requires the acceptance of the terms")]
      : [])
  ]
}

const isVisual = (format: string | undefined) => format === "image" || format === "video"

const validateOffer = ({ body, buttons = [], footer, header, limitedTimeOffer }: TemplateComponents) => {
  if (limitedTimeOffer === undefined) return []
  const code = buttons.findIndex(({ type }) => type === "copy_code")
  return [
    ...(footer === undefined ? [] : [issue("/components/footer", "Expected no footer in a limited-time offer")]),
    ...(header === undefined || isVisual(header.format)
      ? []
      : [issue("/components/header/format", "Expected an image or a video in a limited-time offer")]),
    ...((body?.text.length ?? 0) > 600
      ? [issue("/components/body/text", "Expected at most 600 characters in a limited-time offer")]
      : []),
    ...(code > 0 ? [issue(`/components/buttons/${code}`, "Expected the button copy_code first")] : []),
    ...(buttons.some(({ type }) => type === "url")
      ? []
      : [
          issue("/components/buttons", "Expected a button url in a limited-time offer, after copy_code if there is one")
        ]),
    ...buttons.flatMap(({ type }, at) =>
      type === "copy_code" || type === "url"
        ? []
        : [issue(`/components/buttons/${at}/type`, "Expected copy_code or url in a limited-time offer")]
    )
  ]
}

/** Format of a card that all cards share. */
const shapeOf = ({ body, buttons, header }: TemplateCard) =>
  JSON.stringify([header.format, body !== undefined, buttons.map(({ type }) => type)])

/** Returns the issues of a card, compared with the first one. */
export const validateCard = (card: TemplateCard, at: number, first: TemplateCard | undefined) => {
  const pointer = `/components/cards/${at}`
  return [
    ...(first !== undefined && shapeOf(card) !== shapeOf(first)
      ? [issue(pointer, "Expected the same header format, body and buttons on each card")]
      : []),
    ...validateButtons(card.buttons, `${pointer}/buttons`),
    ...((card.body?.text.split("\n").length ?? 0) > 3
      ? [issue(`${pointer}/body/text`, "Expected at most 2 line breaks on a card")]
      : [])
  ]
}

const validateCarousel = ({ buttons, cards, footer, header }: TemplateComponents) => {
  if (cards === undefined) return []
  const surplus = Object.entries({ header, footer, buttons })
    .filter(([, component]) => component !== undefined)
    .map(([name]) => issue(`/components/${name}`, "Expected this component on the cards of a carousel only"))
  return [
    ...surplus,
    ...(isProductCarousel(cards) && cards.length !== 2
      ? [issue("/components/cards", "Expected 2 cards: a message can show 2 to 10 products")]
      : []),
    ...cards.flatMap((card, at) => validateCard(card, at, cards[0]))
  ]
}

const validateProducts = ({ body, buttons = [], header }: TemplateComponents) => {
  const hasSingle = buttons.some(({ type }) => type === "single_product")
  const isProduct = header?.format === "product"
  return [
    ...(hasSingle && !isProduct
      ? [issue("/components/header", "Expected a header of the format product for the button single_product")]
      : []),
    ...(isProduct && !hasSingle
      ? [issue("/components/buttons", "Expected a button single_product for the header product")]
      : []),
    ...(hasSingle && (body?.text.length ?? 0) > 160
      ? [issue("/components/body/text", "Expected at most 160 characters with the button single_product")]
      : [])
  ]
}

const validateReadOnly = ({ authentication, cards = [], header, unsupported }: TemplateComponents) => [
  ...(unsupported === undefined ? [] : [issue("/components/unsupported", "The provider sets this field")]),
  ...(authentication?.text === undefined
    ? []
    : [issue("/components/authentication/text", "The provider sets this field")]),
  ...(header !== undefined && "link" in header
    ? [issue("/components/header/link", "The provider sets this field")]
    : []),
  ...cards.flatMap((card, at) =>
    card.header.link === undefined ? [] : [issue(`/components/cards/${at}/header/link`, "The provider sets this field")]
  )
]

const isFileFormat = (format: string) => format !== "text" && format !== "location" && format !== "product"

const validateSamples = ({ cards = [], header }: TemplateComponents) => [
  ...(header !== undefined && isFileFormat(header.format) && !("mediaId" in header)
    ? [issue("/components/header/mediaId", `Expected the id of an uploaded ${header.format}`)]
    : []),
  ...cards.flatMap(({ header: { format, mediaId } }, at) =>
    format !== "product" && mediaId === undefined
      ? [issue(`/components/cards/${at}/header/mediaId`, `Expected the id of an uploaded ${format}`)]
      : []
  )
]

const validateBodyPresence = ({ authentication, body }: TemplateComponents) =>
  body === undefined && authentication === undefined ? [issue("/components/body", "Expected a body")] : []

/** Returns the issues of the combination of components. */
export const validateCombination = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => [
  ...validateBodyPresence(components),
  ...validateAuthentication(components),
  ...validateOffer(components),
  ...validateCarousel(components),
  ...validateProducts(components)
]

/** Returns the issues of fields that the provider sets, and of missing samples. */
export const validateProviderFields = (components: TemplateComponents): ReadonlyArray<ValidationIssue> => [
  ...validateReadOnly(components),
  ...validateSamples(components)
]

/** Returns the issues of components that the category does not allow. */
export const validateCategory = (
  category: TemplateCategory,
  components: TemplateComponents
): ReadonlyArray<ValidationIssue> => {
  const { authentication, header, limitedTimeOffer } = components
  if (category === "authentication") {
    return authentication === undefined
      ? [issue("/components/authentication", "Expected the content of an authentication template")]
      : []
  }
  return [
    ...(authentication === undefined
      ? []
      : [issue("/components/authentication", "Expected the category authentication")]),
    ...(category === "utility" && limitedTimeOffer !== undefined
      ? [issue("/components/limitedTimeOffer", "Expected the category marketing")]
      : []),
    ...(category === "utility" && header?.format === "gif"
      ? [issue("/components/header/format", "Expected the category marketing for a gif")]
      : [])
  ]
}

const timeToLiveRanges: Readonly<Record<TemplateCategory, readonly [least: number, most: number]>> = {
  authentication: [30, 900],
  utility: [30, 43_200],
  marketing: [43_200, 2_592_000]
}

/** Returns the issue of a time to live that the category does not allow. */
export const validateTimeToLive = (
  category: TemplateCategory,
  seconds: number | null
): ReadonlyArray<ValidationIssue> => {
  if (seconds === null || (seconds === -1 && category !== "marketing")) return []
  const [least, most] = timeToLiveRanges[category]
  return seconds < least || seconds > most
    ? [issue("/timeToLive", `Expected ${least} to ${most} seconds for the category ${category}`)]
    : []
}
