import { assert, describe, it } from "@effect/vitest"
import { fillTemplate, type FilledTemplate, validateTemplate, withTemplateFiles } from "@parley/domain/messaging"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { DateTime, Predicate } from "effect"
import { settingsOf } from "../../src/chat/whatsapp/Graph.ts"
import { messageOut } from "../../src/chat/whatsapp/outgoing.ts"
import { refusalIn } from "../../src/chat/whatsapp/refusals.ts"
import { archiveOut, editOut, listedStatus, templateIn, templateOut } from "../../src/chat/whatsapp/templates.ts"
import { upsertedIn, upsertOut } from "../../src/chat/whatsapp/templates/authenticationUpsert.ts"
import { librarySubmissionOut, libraryTemplateIn } from "../../src/chat/whatsapp/templates/library.ts"
import { withTemplateAdvice } from "../../src/chat/whatsapp/templates/refusals.ts"
import { at, listAt, textAt } from "../../src/json.ts"
import { componentsOf, filled, now, sample, submissionOf, template, unsupported } from "./templateFacts.ts"

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

  it("are upserted in several languages", () => {
    const { body } = whatsAppFact("requests", "upsert-authentication-templates")
    const built = upsertOut({
      name: "authentication_code",
      languages: ["en-US", "es-ES", "fr"],
      authentication: { transfer: "copy_code", securityRecommendation: true, expiryMinutes: 10 },
      timeToLive: null
    })
    assert.deepStrictEqual(built as unknown, body)
    assert.deepStrictEqual(upsertedIn(whatsAppFact("answers", "templates-upserted").body), [
      { externalId: "954638012257287", language: "en-US", status: "approved" },
      { externalId: "969725527415202", language: "es-ES", status: "approved" },
      { externalId: "969725530748535", language: "fr", status: "approved" }
    ])
    assert.isNull(upsertedIn({ data: [{ language: "fr" }] }))
  })

  it("are archived at the address of the corpus", () => {
    for (const action of ["archive", "unarchive"]) {
      const { body, path } = whatsAppFact("requests", `${action}-templates`)
      assert.deepStrictEqual(archiveOut(["1689556908129832", "1689556908129833"]) as unknown, body)
      assert.strictEqual(`${settingsOf({}).archiveRoot}/{waba_id}/message_templates/${action}`, path)
    }
    assert.strictEqual(settingsOf({ baseUrl: "http://127.0.0.1:9/" }).archiveRoot, "http://127.0.0.1:9")
  })

  it("are edited whole", () => {
    const { body } = whatsAppFact("requests", "edit-template")
    const built = editOut({ ...componentsOf(body), category: null, timeToLive: null })
    assert.deepStrictEqual(built as unknown, body)
    const nothing = { components: null, category: null, timeToLive: null, handles: new Map<string, string>() }
    assert.deepStrictEqual(
      [
        editOut({ ...nothing, timeToLive: 600 }),
        editOut({ ...nothing, category: "utility" })
      ] as ReadonlyArray<unknown>,
      [whatsAppFact("requests", "edit-template-ttl").body, whatsAppFact("requests", "edit-template-category").body]
    )
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
    assert.deepStrictEqual(read, [
      {
        id: "7147013345418927",
        name: "delivery_update_1",
        language: "en-US",
        category: "utility",
        topic: "ORDER_MANAGEMENT",
        useCase: "DELIVERY_UPDATE",
        industries: ["E_COMMERCE"],
        header: "Your order is on its way",
        body: "Good news, {{1}}! Order {{2}} arrives on {{3}}.",
        bodyTypes: ["TEXT", "NUMBER", "DATE"],
        bodyExamples: ["Jim", "860198", "Jan 1, 2026"],
        buttons: [{ type: "url", text: "Track order", url: "https://www.example.com/{{1}}", phone: null }]
      }
    ])
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
