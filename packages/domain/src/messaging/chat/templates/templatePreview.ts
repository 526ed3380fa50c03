import { Schema } from "effect"
import type { MessageTemplate, TemplateInputs } from "../MessageTemplate.ts"
import type { TemplateButton } from "./TemplateButton.ts"
import type { AuthenticationContent, TemplateHeader } from "./TemplateComponents.ts"
import { fillableCards, fillPlaceholders } from "./templateVariables.ts"

const PreviewButtons = Schema.Array(
  Schema.Struct({ type: Schema.String, text: Schema.String, value: Schema.NullOr(Schema.String) })
)

/** Template with filled variables, as the customer would see it. */
export const TemplatePreview = Schema.Struct({
  header: Schema.NullOr(Schema.String),
  /** Text of a limited-time offer, shown above the body. */
  limitedTimeOffer: Schema.optionalKey(Schema.String),
  body: Schema.String,
  footer: Schema.NullOr(Schema.String),
  buttons: PreviewButtons,
  /** Cards of a carousel. */
  cards: Schema.optionalKey(
    Schema.Array(Schema.Struct({ header: Schema.String, body: Schema.NullOr(Schema.String), buttons: PreviewButtons }))
  )
}).annotate({ identifier: "TemplatePreview" })
export type TemplatePreview = typeof TemplatePreview.Type

type PreviewedTemplate = Pick<MessageTemplate, "components">

type PreviewButton = TemplatePreview["buttons"][number]

const valuesByPrefix = (prefix: string, values: TemplateInputs) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : []
    )
  )

/** English labels of the buttons whose label the provider translates. */
const fixedLabels = {
  catalog: "View catalog",
  multi_product: "View items",
  single_product: "View",
  copy_code: "Copy code",
  request_contact_info: "Share contact info"
} as const

const toPreviewButton = (button: TemplateButton, value: string | undefined): PreviewButton => {
  switch (button.type) {
    case "quick_reply":
    case "flow":
    case "voice_call":
    case "order_details":
      return { type: button.type, text: button.text, value: null }
    case "url":
      return {
        type: button.type,
        text: button.text,
        value: fillPlaceholders(button.url, value === undefined ? {} : { "1": value })
      }
    case "phone_number":
      return { type: button.type, text: button.text, value: button.phone }
    case "copy_code":
      return { type: button.type, text: fixedLabels.copy_code, value: value ?? button.example }
    case "catalog":
    case "multi_product":
    case "single_product":
      return { type: button.type, text: button.text ?? fixedLabels[button.type], value: null }
    case "request_contact_info":
      return { type: button.type, text: fixedLabels.request_contact_info, value: null }
  }
}

const toPreviewHeader = (header: TemplateHeader, values: TemplateInputs): string => {
  if (header.format === "text") return fillPlaceholders(header.text, valuesByPrefix("header.", values))
  const { [`header.name`]: name } = values
  return header.format === "location" && name !== undefined ? `[location] ${name}` : `[${header.format}]`
}

const codeSentence = "{{1}} is your verification code."
const securitySentence = "For your security, do not share this code."

const minutesText = (minutes: number) => (minutes === 1 ? "1 minute" : `${minutes} minutes`)

/** English form of the provider's text, until the provider has returned its own. */
const toAuthenticationPreview = (
  { copyText, expiryMinutes, securityRecommendation, text, transfer }: AuthenticationContent,
  { code }: TemplateInputs
): TemplatePreview => {
  const sentences = securityRecommendation === true ? `${codeSentence} ${securitySentence}` : codeSentence
  return {
    header: null,
    body: fillPlaceholders(text ?? sentences, code === undefined ? {} : { "1": code }),
    footer: expiryMinutes === undefined ? null : `This code expires in ${minutesText(expiryMinutes)}.`,
    buttons:
      transfer === "zero_tap" ? [] : [{ type: transfer, text: copyText ?? fixedLabels.copy_code, value: code ?? null }]
  }
}

const isFilledCard = (at: number, values: TemplateInputs) =>
  Object.keys(values).some((key) => key.startsWith(`cards.${at}.`))

const toPreviewCards = ({ components }: PreviewedTemplate, values: TemplateInputs) => {
  const { cards = [] } = components
  const shown = fillableCards(components)
    .map((card, at) => ({ card, at }))
    .filter(({ at }) => at < cards.length || isFilledCard(at, values))
    .map(({ card: { body, buttons, header }, at }) => ({
      header: values[`cards.${at}.productId`] ?? `[${header.format}]`,
      body: body === undefined ? null : fillPlaceholders(body.text, valuesByPrefix(`cards.${at}.body.`, values)),
      buttons: buttons.map((button, index) => toPreviewButton(button, values[`cards.${at}.buttons.${index}`]))
    }))
  return shown.length === 0 ? {} : { cards: shown }
}

/** Renders the template for the customer. Variables without a value stay as placeholders. */
export const toTemplatePreview = (template: PreviewedTemplate, values: TemplateInputs): TemplatePreview => {
  const {
    authentication,
    body,
    buttons = [],
    callPermissionRequest,
    footer,
    header,
    limitedTimeOffer
  } = template.components
  if (authentication !== undefined) return toAuthenticationPreview(authentication, values)
  return {
    header: header === undefined ? null : toPreviewHeader(header, values),
    ...(limitedTimeOffer === undefined ? {} : { limitedTimeOffer: limitedTimeOffer.text }),
    body: fillPlaceholders(body?.text ?? "", valuesByPrefix("body.", values)),
    footer: footer?.text ?? null,
    buttons: [
      ...buttons.map((button, at) => toPreviewButton(button, values[`buttons.${at}`])),
      ...(callPermissionRequest === true
        ? [{ type: "call_permission_request", text: "Choose preference", value: null }]
        : [])
    ],
    ...toPreviewCards(template, values)
  }
}
