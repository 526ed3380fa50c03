import { assert, describe, it } from "@effect/vitest"
import {
  ChatAccountId,
  fillTemplate,
  type FilledTemplate,
  findTemplateVariables,
  MessageTemplate,
  MessageTemplateId,
  samplesOf,
  type TemplateComponents,
  TemplateFileId,
  type TemplateInputs,
  validateTemplate,
  withTemplateFiles
} from "@parley/domain"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { DateTime, Predicate } from "effect"
import { messageOut } from "../../src/chat/whatsapp/outgoing.ts"
import { refusalIn } from "../../src/chat/whatsapp/refusals.ts"
import { editOut, listedStatus, templateCategory, templateIn, templateOut } from "../../src/chat/whatsapp/templates.ts"
import { componentsIn } from "../../src/chat/whatsapp/templates/componentsIn.ts"
import { librarySubmissionOut, libraryTemplateIn } from "../../src/chat/whatsapp/templates/library.ts"
import { withTemplateAdvice } from "../../src/chat/whatsapp/templates/refusals.ts"
import { at, listAt, numberAt, textAt } from "../../src/json.ts"

const now = DateTime.makeUnsafe("2026-03-01T08:00:00Z")

const sample = (at: number) => TemplateFileId.make(`01990000-0000-7000-8000-00000000000${at}`)

const withSample = <Header extends object>(header: Header, id: TemplateFileId): Header => {
  if (!("link" in header)) return header
  const { link: _, ...others } = header
  return { ...others, mediaId: id } as unknown as Header
}

/** The components of a request with uploaded samples, and the handles of the samples. */
const componentsOf = (body: unknown) => {
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

const submissionOf = (body: unknown) => ({
  ...componentsOf(body),
  name: textAt(body, "name") ?? "",
  language: (textAt(body, "language") ?? "").replaceAll("_", "-"),
  category: templateCategory(textAt(body, "category")) ?? ("utility" as const),
  timeToLive: numberAt(body, "message_send_ttl_seconds")
})

/** Meta mixes cases, and the style of variables is optional. */
const normal = (body: unknown) => {
  const { parameter_format: _, ...others } = Predicate.isObject(body) ? body : {}
  const text = JSON.stringify(others, (key, value: unknown) =>
    key === "type" || key === "category" ? String(value).toUpperCase() : value
  )
  return JSON.parse(text) as unknown
}

const creations = whatsAppFacts("requests").filter(
  ({ name }) => name.startsWith("create-template-") && name !== "create-template-from-library"
)

describe("Templates of the corpus", () => {
  it.each(creations.map((fact) => [fact.name, fact.body] as const))("are built as in %s", (_, body) => {
    const submission = submissionOf(body)
    assert.isUndefined(submission.components.unsupported)
    assert.deepStrictEqual(validateTemplate(submission), [])
    assert.deepStrictEqual(normal(templateOut(submission)), normal(body))
  })

  it("are created from the library", () => {
    const { body } = whatsAppFact("requests", "create-template-from-library")
    const built = librarySubmissionOut({
      name: "my_delivery_update",
      language: "en-US",
      category: "utility",
      libraryName: "delivery_update_1",
      buttons: [
        {
          type: "url",
          url: "https://www.luckyshrub.com/orders/{{1}}",
          example: "https://www.luckyshrub.com/orders/860198"
        }
      ]
    })
    assert.deepStrictEqual(built as unknown, body)
  })

  it("are edited whole", () => {
    const { body } = whatsAppFact("requests", "edit-template")
    const built = editOut({ ...componentsOf(body), category: null, timeToLive: null })
    assert.deepStrictEqual(normal(built), normal(body))
  })

  it("are read with the state of Meta", () => {
    const statuses = whatsAppFacts("answers").filter(({ name }) => name.startsWith("template-status-"))
    assert.isAbove(statuses.length, 8)
    for (const { body, name } of statuses) {
      const [read] = templateIn(body)
      assert.strictEqual(read?.status, name.slice("template-status-".length).replaceAll("-", "_"))
      assert.deepStrictEqual(read?.components, {
        header: { format: "text", text: "Order {{1}}", examples: { "1": "860198" } },
        body: { text: "Thanks {{1}}, your order {{2}} is on its way.", examples: { "1": "Pablo", "2": "860198" } },
        footer: { text: "Lucky Shrub" }
      })
      assert.strictEqual(
        read?.qualityAt === null ? null : DateTime.formatIso(read?.qualityAt ?? now),
        "2025-06-01T07:00:00.000Z"
      )
    }
    assert.strictEqual(listedStatus("TRANSCENDED"), "disabled")
  })

  it("keep the link of a sample for display, and recognise one-time codes", () => {
    const listed = listAt(whatsAppFact("answers", "templates-listed").body, "data").flatMap(templateIn)
    assert.deepStrictEqual(
      listed.map(({ components: { authentication, header }, timeToLive }) => [
        header !== undefined && "link" in header,
        authentication?.transfer ?? null,
        authentication?.expiryMinutes ?? null,
        timeToLive
      ]),
      [
        [false, null, null, null],
        [true, null, null, null],
        [false, "copy_code", 5, 60]
      ]
    )
    const [moved] = templateIn(whatsAppFact("answers", "template-category-history").body)
    assert.deepStrictEqual([moved?.category, moved?.announcedCategory], ["marketing", null])
  })

  it("of the library are read", () => {
    const { body } = whatsAppFact("answers", "template-library")
    const read = listAt(body, "data").flatMap(libraryTemplateIn)
    assert.lengthOf(read, listAt(body, "data").length)
    assert.notStrictEqual(read[0]?.body, "")
  })

  it("are refused with the text of Meta and the required change", () => {
    const refused = whatsAppFacts("errors").filter(({ name }) => name.startsWith("template-error-"))
    assert.isAbove(refused.length, 8)
    for (const { body, name, status = 400, subcode } of refused) {
      const refusal = refusalIn({ status, body, retryAfterMillis: null }, [])
      if (refusal === null) return assert.fail(name)
      const { reason } = withTemplateAdvice(refusal)
      assert.strictEqual(refusal.subcode, subcode)
      for (const field of ["error_user_title", "error_user_msg"]) {
        assert.include(reason, textAt(at(body, "error"), field) ?? "")
      }
      assert.isAbove(reason.length, refusal.reason.length, name)
    }
  })
})

const template = (name: string) => {
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
const filled: Readonly<Record<string, TemplateInputs>> = {
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
const unsupported: Readonly<Record<string, string>> = {
  "currency-and-date": "Parley formats amounts and dates in the language of the template.",
  "image-header-link": "Parley uploads files. Meta cannot read every link.",
  "tap-target": "Parley does not change the preview of links."
}

const sends = whatsAppFacts("requests").filter(({ name }) => name.startsWith("send-template-"))

const shortName = (name: string) => name.slice("send-template-".length)

describe("Messages with templates of the corpus", () => {
  it("are all known", () => {
    assert.deepStrictEqual(
      sends.map(({ name }) => shortName(name)).toSorted(),
      [...Object.keys(filled), ...Object.keys(unsupported)].toSorted()
    )
  })

  it.each(
    sends.filter(({ name }) => shortName(name) in filled).map((fact) => [shortName(fact.name), fact.body] as const)
  )("are built for %s", (name, body) => {
    const sent = at(body, "template")
    const found = template(textAt(sent, "name") ?? "")
    const ids = Array.from(JSON.stringify(sent).matchAll(/"id":"(\d+)"/gu), ([, id = ""]) => id)
    const filename = /"filename":"([^"]*)"/u.exec(JSON.stringify(sent))?.[1] ?? null
    const details = at(listAt(sent, "components").at(-1), "parameters")
    const orderDetails = at(Array.isArray(details) ? details[0] : null, "action", "order_details")
    const values = {
      ...filled[name],
      ...(orderDetails === undefined ? {} : { "buttons.0.order": JSON.stringify(orderDetails) })
    }
    const filling = fillTemplate(found, values, "/values")
    if (Array.isArray(filling)) return assert.fail(JSON.stringify(filling))
    const files = new Map(ids.map((mediaId, at) => [sample(at) as string, { mediaId, filename }]))
    const { biz_opaque_callback_data: _, ...built } = messageOut({
      to: { kind: "phone", value: textAt(body, "to") ?? "" },
      content: {
        kind: "template",
        template: withTemplateFiles(filling as FilledTemplate, (mediaId) => files.get(mediaId))
      },
      replyTo: null,
      reference: "reference"
    })
    assert.deepStrictEqual(JSON.parse(JSON.stringify(built)), body)
  })
})
