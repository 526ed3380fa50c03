import { assert, describe, it } from "@effect/vitest"
import { toValidationIssues } from "@parley/domain/kernel"
import { MessageTemplatePatch, NewMessageTemplate } from "@parley/domain/messaging"
import { Result, Schema } from "effect"

const strictly = { errors: "all", onExcessProperty: "error" } as const

const pointersOf = <A, I>(schema: Schema.ConstraintCodec<A, I>, value: unknown) =>
  Result.match(Schema.decodeUnknownResult(Schema.toCodecJson(schema), strictly)(value), {
    onSuccess: () => [],
    onFailure: ({ issue }) => toValidationIssues(issue, value).map(({ pointer }) => pointer)
  })

const template = (more: object) => ({
  chatAccountId: "01990000-0000-7000-8000-0000000000aa",
  name: "order_ready",
  language: "en",
  category: "utility",
  ...more
})

describe("a malformed template", () => {
  it("reports a length together with the rules of the same text and of other components", () => {
    assert.deepStrictEqual(
      pointersOf(
        NewMessageTemplate,
        template({
          name: "Order Ready",
          timeToLive: 5_000_000,
          components: {
            header: { format: "text", text: `{{1}} *News* ${"x".repeat(60)}` },
            body: { text: "{{1}} is ready" },
            footer: { text: `{{1}}${"y".repeat(60)}` },
            buttons: [
              { type: "url", text: "A label with far too many characters", url: "https://acme.example/{{1}}" },
              { type: "url", text: "See", url: "ftp://acme.example" }
            ]
          }
        })
      ).toSorted(),
      [
        "/components/body/examples",
        "/components/body/text",
        "/components/buttons/0/example",
        "/components/buttons/0/text",
        "/components/buttons/1/url",
        "/components/footer/text",
        "/components/footer/text",
        "/components/header/examples",
        "/components/header/text",
        "/components/header/text",
        "/name",
        "/timeToLive",
        "/timeToLive"
      ]
    )
  })

  it("reports the rules of valid components next to a malformed one, and nothing about its absence", () => {
    assert.deepStrictEqual(
      pointersOf(
        NewMessageTemplate,
        template({
          category: "marketing",
          components: {
            body: { txt: "Hello" },
            footer: { text: "{{1}}" },
            header: { format: "image" },
            buttons: [
              { type: "link", text: "A" },
              { type: "flow", text: "Book" }
            ]
          }
        })
      ).toSorted(),
      [
        "/components/body/text",
        "/components/body/txt",
        "/components/buttons/0/type",
        "/components/buttons/1/flowId",
        "/components/footer/text",
        "/components/header/mediaId"
      ]
    )
  })

  it("reports the rules of the cards next to a malformed card", () => {
    const card = { header: { format: "product" }, body: { text: "a\nb\nc\nd" }, buttons: [{ type: "single_product" }] }
    assert.deepStrictEqual(
      pointersOf(
        NewMessageTemplate,
        template({ category: "marketing", components: { body: { text: "Hi." }, cards: [card, { body: 1 }] } })
      ).toSorted(),
      [
        "/components/cards/0/body/text",
        "/components/cards/1/body",
        "/components/cards/1/buttons",
        "/components/cards/1/header"
      ]
    )
  })

  it("reports only its shape if it is too large for the rules", () => {
    const body = { text: `{{${" ".repeat(100_000)}` }
    assert.deepStrictEqual(
      pointersOf(NewMessageTemplate, template({ components: { body, footer: { text: "{{1}}" } } })),
      ["/components/body/text"]
    )
  })

  it("reports nothing else where only its shape is wrong", () => {
    const valid = template({ components: { body: { text: "Your order is ready." } } })
    assert.deepStrictEqual(pointersOf(NewMessageTemplate, { ...valid, colour: "red" }), ["/colour"])
    assert.deepStrictEqual(pointersOf(NewMessageTemplate, { ...valid, components: [] }), ["/components"])
    assert.deepStrictEqual(pointersOf(NewMessageTemplate, valid), [])
  })
})

describe("a malformed change of a template", () => {
  it("reports its rules, but accepts the fields that the provider has set", () => {
    assert.deepStrictEqual(
      pointersOf(MessageTemplatePatch, {
        timeToLive: 1.5,
        components: { header: { format: "image", link: "https://cdn.example/1" }, body: { text: "Hi {{1}}" } }
      }).toSorted(),
      ["/components/body/examples", "/components/body/text", "/timeToLive"]
    )
  })
})
