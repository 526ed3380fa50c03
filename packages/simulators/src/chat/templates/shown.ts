import { hash } from "node:crypto"
import type { Fields } from "../checks.ts"
import { timeText } from "../time.ts"
import type { KeptTemplate } from "../World.ts"

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The provider shows a link in place of an uploaded example. The link works neither at creation nor when sending. */
export const contentLink = (handle: string): string =>
  `https://scontent.whatsapp.net/v/t61.29466-34/${hash("sha256", handle, "hex").slice(0, 16)}_n.jpg?ccb=1-7&oh=01_Q5AaI&oe=6A0B0000`

export const isContentLink = (link: string): boolean =>
  URL.canParse(link) && new URL(link).hostname.endsWith(".whatsapp.net")

const shownHeader = (component: Fields): Fields => {
  const example = component["example"]
  const handles = isFields(example) ? example["header_handle"] : undefined
  return Array.isArray(handles)
    ? { ...component, example: { header_handle: handles.map((handle) => contentLink(String(handle))) } }
    : component
}

/** Minutes until the button of a template without an expiry is dead. */
const usualExpiryMinutes = 10

/** Expiry of the code, which the footer of the template declares. */
const expiryMinutesOf = (components: ReadonlyArray<Fields>): unknown =>
  components.find((component) => component["type"] === "FOOTER")?.["code_expiration_minutes"] ?? usualExpiryMinutes

const otpUrl = (button: Fields, expiryMinutes: unknown) =>
  `https://www.whatsapp.com/otp/code/?otp_type=${String(button["otp_type"])}&code_expiration_minutes=${String(expiryMinutes)}&code=otp{{1}}`

/** One-time password buttons are shown as URL buttons. */
const shownButton = (button: unknown, expiryMinutes: unknown): unknown => {
  if (!isFields(button) || button["type"] !== "OTP") return button
  const url = otpUrl(button, expiryMinutes)
  return {
    type: "URL",
    text: button["text"] ?? (button["otp_type"] === "COPY_CODE" ? "Copy code" : "Autofill"),
    url,
    example: [url.replace("{{1}}", "123456")]
  }
}

const authenticationBody = (component: Fields): Fields => ({
  type: "BODY",
  text:
    component["add_security_recommendation"] === true
      ? "*{{1}}* is your verification code. For your security, do not share this code."
      : "*{{1}}* is your verification code.",
  add_security_recommendation: component["add_security_recommendation"] === true,
  example: { body_text: [["123456"]] }
})

const authenticationFooter = (component: Fields): Fields => ({
  type: "FOOTER",
  text: `This code expires in ${String(component["code_expiration_minutes"])} minutes.`,
  code_expiration_minutes: component["code_expiration_minutes"]
})

/** A component as a call returns it. */
export const shownComponent = (category: string, component: Fields, expiryMinutes: unknown): Fields => {
  const isAuthentication = category === "AUTHENTICATION"
  switch (component["type"]) {
    case "HEADER":
      return shownHeader(component)
    case "BODY":
      return isAuthentication ? authenticationBody(component) : component
    case "FOOTER":
      return isAuthentication ? authenticationFooter(component) : component
    case "BUTTONS": {
      const buttons = component["buttons"]
      return {
        ...component,
        buttons: Array.isArray(buttons) ? buttons.map((button) => shownButton(button, expiryMinutes)) : []
      }
    }
    case "CAROUSEL": {
      const cards = component["cards"]
      return {
        ...component,
        cards: Array.isArray(cards) ? cards.map((card) => shownCard(category, card, expiryMinutes)) : []
      }
    }
    default:
      return component
  }
}

const shownCard = (category: string, card: unknown, expiryMinutes: unknown): unknown => {
  const components = isFields(card) ? card["components"] : undefined
  return Array.isArray(components)
    ? {
        components: components.map((component) =>
          isFields(component) ? shownComponent(category, component, expiryMinutes) : (component as unknown)
        )
      }
    : card
}

/** Fields of a template in an answer. */
export const templateFields = (
  template: KeptTemplate,
  health: () => unknown
): Readonly<Record<string, () => unknown>> => ({
  id: () => template.id,
  name: () => template.name,
  language: () => template.language,
  status: () => template.status,
  category: () => template.category,
  previous_category: () => template.previousCategory ?? undefined,
  correct_category: () => template.correctCategory ?? undefined,
  sub_category: () => undefined,
  parameter_format: () => template.parameterFormat,
  components: () => {
    const expiryMinutes = expiryMinutesOf(template.components)
    return template.components.map((component) => shownComponent(template.category, component, expiryMinutes))
  },
  rejected_reason: () => template.rejectedReason,
  quality_score: () => ({
    score: template.quality,
    ...(template.quality === "UNKNOWN" ? {} : { date: Math.floor(template.qualityAt / 1_000) })
  }),
  library_template_name: () => template.libraryName ?? undefined,
  message_send_ttl_seconds: () => template.sendTtlSeconds ?? undefined,
  cta_url_link_tracking_opted_out: () => undefined,
  degrees_of_freedom_spec: () => undefined,
  last_updated_time: () => timeText(template.createdAt),
  health_status: health
})
