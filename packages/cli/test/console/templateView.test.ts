import { assert, describe, it } from "@effect/vitest"
import {
  ChatAccountId,
  findTemplateVariables,
  MessageTemplate,
  MessageTemplateId,
  toTemplatePreview
} from "@parley/domain/messaging"
import { DateTime } from "effect"
import { previewLines } from "../../src/commands/templates/componentLines.ts"
import { view } from "../../src/commands/templates/views.ts"

const now = DateTime.makeUnsafe("2026-11-27T12:00:00Z")

const givenTemplate = (components: MessageTemplate["components"], more: Partial<MessageTemplate> = {}) =>
  new MessageTemplate({
    id: MessageTemplateId.make("01990000-0000-7000-8000-000000000001"),
    chatAccountId: ChatAccountId.make("01990000-0000-7000-8000-000000000002"),
    name: "order_ready",
    language: "en",
    category: "marketing",
    components,
    variables: findTemplateVariables(components),
    status: "rejected",
    rejectionReason: "PROMOTIONAL",
    rejectionAdvice: "Remove promotional content.",
    quality: "yellow",
    qualityAt: now,
    externalId: "17",
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...more
  })

const shown = (template: MessageTemplate) =>
  Object.fromEntries(
    view.columns.flatMap(({ heading, of }) => {
      const value = of(template)
      return value === "" ? [] : [[heading, value]]
    })
  )

const link = { type: "url", text: "See it", url: "https://shop.test/{{1}}", example: "7" } as const

describe("the view of a template", () => {
  it("shows the components, the quality and the status with its reason and advice", () => {
    const template = givenTemplate({
      header: { format: "text", text: "Order {{1}}", examples: { "1": "7" } },
      body: { text: "Hello {{1}}, it is ready.", examples: { "1": "Ada" } },
      footer: { text: "Acme" },
      buttons: [link, { type: "quick_reply", text: "Thanks" }, { type: "copy_code", example: "SAVE25" }]
    })
    const { ID: _, NAME: __, ...fields } = shown(template)
    assert.deepStrictEqual(fields, {
      LANGUAGE: "en",
      CATEGORY: "marketing",
      STATUS: "rejected",
      QUALITY: "yellow",
      REASON: "PROMOTIONAL",
      ADVICE: "Remove promotional content.",
      "QUALITY SINCE": "2026-11-27T12:00:00.000Z",
      HEADER: "Order {{1}}",
      BODY: "Hello {{1}}, it is ready.",
      FOOTER: "Acme",
      BUTTONS: 'url "See it" https://shop.test/{{1}}; quick_reply "Thanks"; copy_code SAVE25',
      VARIABLES: "header.1 body.1 buttons.0 [buttons.1.payload] buttons.2"
    })
  })

  it("shows the cards of a carousel", () => {
    const card = { header: { format: "image" }, body: { text: "Rye." }, buttons: [link] } as const
    const fields = shown(givenTemplate({ body: { text: "Fresh bread." }, cards: [card, card] }))
    const line = '[image] | Rye. | url "See it" https://shop.test/{{1}}'
    assert.strictEqual(fields["CARDS"], `${line} || ${line}`)
  })

  it("shows the button and the validity of a one-time code", () => {
    const fields = shown(
      givenTemplate({ authentication: { transfer: "one_tap", expiryMinutes: 5 } }, { category: "authentication" })
    )
    assert.deepStrictEqual([fields["FOOTER"], fields["BUTTONS"]], ["expires in 5 minutes", 'one_tap "Copy code"'])
  })
})

describe("the preview of a template", () => {
  it("shows each part on its line", () => {
    const card = { header: { format: "image" }, body: { text: "Rye." }, buttons: [link] } as const
    const template = givenTemplate({
      header: { format: "text", text: "News" },
      body: { text: "Hello {{1}}." },
      buttons: [{ type: "quick_reply", text: "Thanks" }],
      cards: [card, card]
    })
    assert.deepStrictEqual(previewLines(toTemplatePreview(template, { "body.1": "Ada", "cards.0.buttons.0": "7" })), [
      "News",
      "Hello Ada.",
      "[Thanks]",
      "- [image] Rye.",
      "  [See it] https://shop.test/7",
      "- [image] Rye.",
      "  [See it] https://shop.test/{{1}}"
    ])
  })

  it("shows the text of a limited-time offer above the body", () => {
    const template = givenTemplate({
      header: { format: "image" },
      body: { text: "Save on all bread." },
      limitedTimeOffer: { text: "Ends soon", hasExpiration: true },
      buttons: [{ type: "copy_code", example: "SAVE25" }, link]
    })
    const preview = toTemplatePreview(template, { "buttons.0": "SAVE25", "buttons.1": "7" })
    assert.strictEqual(preview.limitedTimeOffer, "Ends soon")
    assert.deepStrictEqual(previewLines(preview), [
      "[image]",
      "Ends soon",
      "Save on all bread.",
      "[Copy code] SAVE25",
      "[See it] https://shop.test/7"
    ])
  })
})
