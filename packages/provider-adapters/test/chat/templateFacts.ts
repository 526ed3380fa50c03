import {
  ChatAccountId,
  findTemplateVariables,
  MessageTemplate,
  MessageTemplateId,
  samplesOf,
  type TemplateComponents,
  TemplateFileId,
  type TemplateInputs
} from "@parley/domain/messaging"
import { whatsAppFact } from "@parley/testkit/corpora/whatsapp"
import { DateTime } from "effect"
import { templateCategory } from "../../src/chat/whatsapp/templates.ts"
import { componentsIn } from "../../src/chat/whatsapp/templates/componentsIn.ts"
import { listAt, numberAt, textAt } from "../../src/json.ts"

export const now = DateTime.makeUnsafe("2026-03-01T08:00:00Z")

export const sample = (at: number) => TemplateFileId.make(`01990000-0000-7000-8000-00000000000${at}`)

const withSample = <Header extends object>(header: Header, id: TemplateFileId): Header => {
  if (!("link" in header)) return header
  const { link: _, ...others } = header
  return { ...others, mediaId: id } as unknown as Header
}

/** The components of a request with uploaded samples, and the handles of the samples. */
export const componentsOf = (body: unknown) => {
  const read = componentsIn(listAt(body, "components"))
  const links = [read.header, ...(read.cards ?? []).map(({ header }) => header)].flatMap((header) =>
    header !== undefined && "link" in header && header.link !== undefined ? [header.link] : []
  )
  const { cards, header } = read
  const components: TemplateComponents = {
    ...read,
    ...(header === undefined ? {} : { header: withSample(header, sample(0)) }),
    ...(cards === undefined
      ? {}
      : { cards: cards.map((card, at) => ({ ...card, header: withSample(card.header, sample(at)) })) })
  }
  const handles = new Map(samplesOf(components).map(({ id }, at) => [id as string, links[at] ?? ""]))
  return { components, handles }
}

export const submissionOf = (body: unknown) => ({
  ...componentsOf(body),
  name: textAt(body, "name") ?? "",
  language: (textAt(body, "language") ?? "").replaceAll("_", "-"),
  category: templateCategory(textAt(body, "category")) ?? ("utility" as const),
  timeToLive: numberAt(body, "message_send_ttl_seconds")
})

/** The approved template of a creation in the corpus. */
export const template = (name: string) => {
  const { body } = whatsAppFact("requests", `create-template-${name.replaceAll("_", "-")}`)
  const { category, components, language } = submissionOf(body)
  return new MessageTemplate({
    id: MessageTemplateId.make("01990000-0000-7000-8000-000000000001"),
    chatAccountId: ChatAccountId.make("01990000-0000-7000-8000-000000000002"),
    name: textAt(body, "name") ?? "",
    language,
    category,
    components,
    variables: findTemplateVariables(components),
    status: "approved",
    rejectionReason: null,
    quality: "unknown",
    externalId: "1",
    createdAt: now,
    updatedAt: now,
    version: 1
  })
}

const order = { "body.1": "Pablo", "body.2": "860198" }
const card = (at: number, payload: string, suffix: string) => ({
  [`cards.${at}.header`]: sample(at),
  [`cards.${at}.buttons.0.payload`]: payload,
  [`cards.${at}.buttons.1`]: suffix
})

/** Values by the name of the request. */
export const filled: Readonly<Record<string, TemplateInputs>> = {
  authentication: { code: "J$FpnYnP" },
  "call-permission": order,
  catalog: { "buttons.0.productId": "2lc20305pt" },
  coupon: { "buttons.1": "SUMMER20SUMMER20SUMM" },
  "document-header": { header: sample(0) },
  "flow-button": {
    ...order,
    "buttons.0.token": "AQAAAAACS5FpgQ_cAAAAAD0QI3s.",
    "buttons.0.data": '{"product_name":"Aloe"}'
  },
  "gif-header": { header: sample(0) },
  "image-header": { header: sample(0) },
  "limited-time-offer": {
    header: sample(0),
    "body.1": "Pablo",
    "body.2": "CARIBE25",
    "offer.expiresAt": "2024-11-15T21:22:01Z",
    "buttons.0": "CARIBE25",
    "buttons.1": "n3mtql"
  },
  "location-header": {
    ...order,
    header: "37.44211676562361,-122.16155960083124",
    "header.name": "Philz Coffee",
    "header.address": "101 Forest Ave, Palo Alto, CA 94301"
  },
  "media-carousel": { "body.1": "Pablo", ...card(0, "more-0", "last-chance"), ...card(1, "more-1", "blue-elf") },
  "multi-product": {
    "header.1": "Pablo",
    "buttons.0.productId": "2lc20305pt",
    "buttons.0.sections": '[{"title":"Popular Bundles","products":["2lc20305pt","nseiw1x3ch"]}]'
  },
  named: { "header.order_number": "860198", "body.first_name": "Pablo", "body.order_number": "860198" },
  "order-details": order,
  positional: { "header.1": "860198", ...order },
  "product-carousel": {
    "cards.catalogId": "194836987003835",
    "cards.0.productId": "di9ozbzfi4",
    "cards.1.productId": "nqryix03ez",
    "cards.2.productId": "6vrf2x2fwn"
  },
  "product-header": { "header.catalogId": "194836987003835", "header.productId": "nqryix03ez", "body.1": "25OFF" },
  "quick-reply-payload": { "buttons.0.payload": "stop-promos", "buttons.1.payload": "stop-all" },
  "url-button": { ...order, "buttons.0": "860198" },
  "video-header": { header: sample(0) },
  "voice-call": { "buttons.0.minutes": "100", "buttons.0.payload": "order-0042" },
  "without-parameters": {}
}

/** Requests that Parley does not build, with the reason. */
export const unsupported: Readonly<Record<string, string>> = {
  "currency-and-date": "Parley formats amounts and dates in the language of the template.",
  "image-header-link": "Parley uploads files. Meta cannot read every link.",
  "tap-target": "Parley does not change the preview of links."
}
