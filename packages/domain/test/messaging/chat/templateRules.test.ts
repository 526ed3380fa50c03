import { assert, describe, it } from "@effect/vitest"
import {
  CodeLanguage,
  NewMessageTemplate,
  type TemplateButton,
  type TemplateComponents,
  TemplateFileId,
  TemplateLanguage,
  validateTemplate
} from "@parley/domain/messaging"
import { Result, Schema } from "effect"

type Category = NewMessageTemplate["category"]

const mediaId = TemplateFileId.make("01990000-0000-7000-8000-0000000000aa")

const pointers = (components: TemplateComponents, category: Category = "marketing", timeToLive: number | null = null) =>
  validateTemplate({ category, components, timeToLive }).map(({ pointer }) => pointer)

const body = { text: "Our new bread is here." }
const reply = (text: string): TemplateButton => ({ type: "quick_reply", text })
const url = (text: string): TemplateButton => ({ type: "url", text, url: "https://acme.example/" })
const code: TemplateButton = { type: "copy_code", example: "SAVE25" }
const call = (text: string): TemplateButton => ({ type: "phone_number", text, phone: "+4930123456" })

const text = (text: string, ...names: ReadonlyArray<string>): TemplateComponents => ({
  body: {
    text: text,
    ...(names.length === 0 ? {} : { examples: Object.fromEntries(names.map((name) => [name, "x"])) })
  }
})

const card = (more: object = {}) => ({
  header: { format: "image" as const, mediaId },
  body: { text: "Rye." },
  buttons: [url("Buy")],
  ...more
})

const product = { header: { format: "product" as const }, buttons: [{ type: "single_product" as const }] }

describe("a template", () => {
  it.each<[string, TemplateComponents, ReadonlyArray<string>]>([
    [
      "quick replies around another button",
      { body, buttons: [reply("A"), url("B"), reply("C")] },
      ["/components/buttons/2"]
    ],
    ["three links", { body, buttons: [url("A"), url("B"), url("C")] }, ["/components/buttons/2/type"]],
    ["two numbers", { body, buttons: [call("A"), call("B")] }, ["/components/buttons/1/type"]],
    ["two codes", { body, buttons: [code, code] }, ["/components/buttons/1/type"]],
    ["equal labels", { body, buttons: [reply("A"), reply("A")] }, ["/components/buttons/1/text"]],
    [
      "a code with a hyphen",
      { body, buttons: [{ type: "copy_code", example: "A-1" }] },
      ["/components/buttons/0/example"]
    ],
    ["a variable in a label", { body, buttons: [reply("Hi {{1}}")] }, ["/components/buttons/0/text"]],
    ["a flow without an id", { body, buttons: [{ type: "flow", text: "Book" }] }, ["/components/buttons/0/flowId"]],
    ["variables side by side", text("Hi {{1}} {{2}} there you.", "1", "2"), ["/components/body/text"]],
    ["a repeated variable", text("Hi {{1}} and {{1}} there.", "1"), ["/components/body/text"]],
    ["more variables than words", text("a {{1}}, {{2}}, {{3}} b", "1", "2", "3"), ["/components/body/text"]],
    ["a digit in a name", text("Hi {{name1}} there.", "name1"), ["/components/body/text"]],
    ["spaces in the braces", text("Hi {{ name }} there.", "name"), ["/components/body/text"]],
    ["formatting in the header", { body, header: { format: "text", text: "*News*" } }, ["/components/header/text"]],
    ["no body", { footer: { text: "Acme" } }, ["/components/body"]],
    ["no sample", { body, header: { format: "video" } }, ["/components/header/mediaId"]],
    ["fields of the provider", { body, unsupported: [] }, ["/components/unsupported"]],
    [
      "an offer with a footer and the code behind the link",
      { body, footer: { text: "Acme" }, limitedTimeOffer: { text: "Hurry" }, buttons: [url("A"), code] },
      ["/components/footer", "/components/buttons/1"]
    ],
    [
      "an offer without a link",
      { body, limitedTimeOffer: { text: "Hurry" }, buttons: [code] },
      ["/components/buttons"]
    ],
    ["cards of different kinds", { body, cards: [card(), card({ buttons: [reply("A")] })] }, ["/components/cards/1"]],
    ["a carousel with a footer", { body, footer: { text: "A" }, cards: [card(), card()] }, ["/components/footer"]],
    ["three cards of products", { body, cards: [product, product, product] }, ["/components/cards"]],
    ["a product without its button", { body, header: { format: "product" } }, ["/components/buttons"]],
    ["a button without its product", { body, buttons: [{ type: "single_product" }] }, ["/components/header"]],
    ["the content of another category", { authentication: { transfer: "copy_code" } }, ["/components/authentication"]]
  ])("is refused with %s", (_, components, expected) => {
    assert.deepStrictEqual(pointers(components), expected)
  })

  it.each<[string, TemplateComponents, ReadonlyArray<string>]>([
    ["a text", { body }, ["/components/authentication"]],
    [
      "further components",
      { authentication: { transfer: "copy_code" }, footer: { text: "Acme" } },
      ["/components/footer"]
    ],
    ["no apps for one tap", { authentication: { transfer: "one_tap" } }, ["/components/authentication/apps"]],
    [
      "terms that are not accepted",
      {
        authentication: {
          transfer: "zero_tap",
          apps: [{ packageName: "com.example.app", signatureHash: "K8a/AINcGX7" }]
        }
      },
      ["/components/authentication/zeroTapTermsAccepted"]
    ],
    ["the code alone", { authentication: { transfer: "copy_code", expiryMinutes: 5 } }, []]
  ])("for authentication is checked with %s", (_, components, expected) => {
    assert.deepStrictEqual(pointers(components, "authentication"), expected)
  })

  it("allows offers and loops in marketing only", () => {
    const offer = { body, limitedTimeOffer: { text: "Hurry" }, buttons: [code, url("Buy")] }
    assert.deepStrictEqual(pointers(offer, "utility"), ["/components/limitedTimeOffer"])
    assert.deepStrictEqual(pointers(offer), [])
    assert.deepStrictEqual(pointers({ body, header: { format: "gif", mediaId } }, "utility"), [
      "/components/header/format"
    ])
    assert.deepStrictEqual(pointers({ body, header: { format: "gif", mediaId } }), [])
  })

  it.each<[Category, number, boolean]>([
    ["authentication", 30, true],
    ["authentication", 901, false],
    ["authentication", -1, true],
    ["utility", 43_200, true],
    ["utility", 29, false],
    ["marketing", 43_199, false],
    ["marketing", 2_592_000, true],
    ["marketing", -1, false]
  ])("of the category %s with %i seconds to live is valid: %s", (category, seconds, isValid) => {
    const components = category === "authentication" ? { authentication: { transfer: "copy_code" as const } } : { body }
    assert.deepStrictEqual(pointers(components, category, seconds), isValid ? [] : ["/timeToLive"])
  })

  it("accepts a language in both spellings", () => {
    const read = Schema.decodeSync(TemplateLanguage)
    assert.deepStrictEqual(
      ["en_US", "en-US", "de", "zh_HK"].map((language) => read(language)),
      ["en-US", "en-US", "de", "zh-HK"]
    )
  })

  it.each(["zh_Hans_CN", "xx", "en_DE", "en_us", "EN", "prs"])("refuses the language %s", (language) => {
    assert.isTrue(Result.isFailure(Schema.decodeResult(TemplateLanguage)(language)))
    assert.isTrue(Result.isFailure(Schema.decodeResult(CodeLanguage)(language)))
  })

  it("refuses a language that is no code", () => {
    assert.isFalse(Schema.is(Schema.Struct({ language: NewMessageTemplate.fields.language }))({ language: "English" }))
  })
})
