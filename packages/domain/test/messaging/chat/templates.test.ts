import { assert, describe, it } from "@effect/vitest"
import {
  ChatAccountId,
  validateTemplateComponents,
  fillTemplate,
  MessageTemplate,
  MessageTemplateId,
  toTemplatePreview,
  type TemplateButton,
  type TemplateComponents,
  TemplateComponents as Components,
  type FilledTemplate,
  TemplateFileId,
  type TemplateHeader,
  type TemplateInputs,
  type TemplateVariable,
  findTemplateVariables
} from "@parley/domain/messaging"
import { Arbitrary, DateTime, Schema } from "effect"

const morning = DateTime.makeUnsafe("2026-03-01T08:00:00Z")

const templateOf = (components: TemplateComponents) =>
  new MessageTemplate({
    id: MessageTemplateId.make("01990000-0000-7000-8000-000000000001"),
    chatAccountId: ChatAccountId.make("01990000-0000-7000-8000-000000000002"),
    name: "order",
    language: "pt-BR",
    category: "utility",
    components,
    variables: findTemplateVariables(components),
    status: "approved",
    rejectionReason: null,
    quality: "unknown",
    externalId: "1",
    createdAt: morning,
    updatedAt: morning,
    version: 1
  })

const media = "01990000-0000-7000-8000-0000000000aa"

/** A value that fits the variable. */
const fitting = ({ key, kind }: TemplateVariable): string => {
  switch (kind) {
    case "text":
      return `“${key}” $& O'Neill 🥐`
    case "url_suffix":
      return `orders/${key}?x=1`
    case "code":
    case "one_time_code":
    case "catalog_id":
    case "product_id":
    case "flow_token":
    case "payload":
      return "SAVE10"
    case "minutes":
      return "90"
    case "expiry":
      return "2026-12-01T18:00:00Z"
    case "product_sections":
      return '[{"title":"Bread","products":["rye","spelt"]}]'
    case "flow_data":
    case "order_details":
      return '{"reference_id":"1042"}'
    case "location":
      return "52.52,13.405"
    default:
      return media
  }
}

const valuesFor = (components: TemplateComponents): TemplateInputs =>
  Object.fromEntries(findTemplateVariables(components).map((variable) => [variable.key, fitting(variable)]))

const isFilling = (filled: ReturnType<typeof fillTemplate>): filled is FilledTemplate => !Array.isArray(filled)

const filled = (components: TemplateComponents, values: TemplateInputs) =>
  fillTemplate(templateOf(components), values, "/template/values")

const examplesOf = (names: ReadonlyArray<string>) =>
  names.length === 0 ? {} : { examples: Object.fromEntries(names.map((name) => [name, `e.g. ${name}`])) }

const textOf = (names: ReadonlyArray<string>) => `Hi ${names.map((name) => `{{${name}}} and`).join(" ")} bye.`

const counted = ["1", "2", "3", "4"]
const spoken = ["first_name", "order", "shop", "city"]

const buttons: ReadonlyArray<TemplateButton> = [
  { type: "quick_reply", text: "Thanks" },
  { type: "url", text: "See", url: "https://acme.example/" },
  { type: "url", text: "See it", url: "https://acme.example/{{1}}", example: "1042" },
  { type: "phone_number", text: "Call", phone: "+4930123456" },
  { type: "copy_code", example: "SAVE25" }
]

const headerOf = (at: number, names: ReadonlyArray<string>): { readonly header?: TemplateHeader } => {
  const headers: ReadonlyArray<{ readonly header?: TemplateHeader }> = [
    {},
    { header: { format: "text", text: "News" } },
    { header: { format: "text", text: `For {{${names[0]}}}`, ...examplesOf(names.slice(0, 1)) } },
    { header: { format: "image", mediaId: TemplateFileId.make(media) } },
    { header: { format: "document", mediaId: TemplateFileId.make(media) } },
    { header: { format: "location" } }
  ]
  return headers[at] ?? {}
}

const upTo = (most: number) => Arbitrary.schema(Schema.Literals(Array.from({ length: most + 1 }, (_, at) => at)))

/** Components that a careful person would write. */
const wellMade: Arbitrary.Arbitrary<TemplateComponents> = Arbitrary.map(
  Arbitrary.all({
    named: Arbitrary.schema(Schema.Boolean),
    variables: upTo(4),
    header: upTo(5),
    hasFooter: Arbitrary.schema(Schema.Boolean),
    chosen: Arbitrary.array(upTo(4), { maxLength: 4 })
  }),
  ({ chosen, hasFooter, header, named, variables }) => {
    const style = named ? spoken : counted
    const names = style.slice(0, variables)
    return {
      ...headerOf(header, style),
      body: { text: textOf(names), ...examplesOf(names) },
      ...(hasFooter ? { footer: { text: "Acme" } } : {}),
      ...(chosen.length === 0 ? {} : { buttons: [...new Set(chosen)].toSorted().flatMap((at) => buttons[at] ?? []) })
    }
  }
)

const pointers = (components: TemplateComponents) =>
  validateTemplateComponents(components).map(({ pointer }) => pointer)

const body = (text: string, ...names: ReadonlyArray<string>): TemplateComponents => ({
  body: { text, ...examplesOf(names) }
})

describe("the components of a template", () => {
  it.prop("are valid when complete", { components: wellMade }, ({ components }) => {
    assert.isTrue(Schema.is(Components)(components))
    assert.deepStrictEqual(validateTemplateComponents(components), [])
  })

  it.each<[string, TemplateComponents, ReadonlyArray<string>]>([
    ["a gap", body("Hi {{1}} and {{3}}.", "1", "3"), ["/components/body/text"]],
    ["numbers out of order", body("Hi {{2}} and {{1}}.", "1", "2"), ["/components/body/text"]],
    ["two styles", body("Hi {{1}} and {{name}}.", "1", "name"), ["/components/body/text"]],
    ["a name in capitals", body("Hi {{Name}}.", "Name"), ["/components/body/text"]],
    ["an open brace", body("Hi {{1 there.", "1"), ["/components/body/text", "/components/body/examples"]],
    ["no example", body("Hi {{1}}."), ["/components/body/examples"]],
    ["an example of nothing", body("Hi.", "1"), ["/components/body/examples"]],
    ["a variable at the beginning", body("{{1}}, hi.", "1"), ["/components/body/text"]],
    ["a variable at the end", body("Hi {{1}} ", "1"), ["/components/body/text"]],
    ["a variable in the footer", { ...body("Hi."), footer: { text: "{{1}}" } }, ["/components/footer/text"]],
    [
      "two variables in the header",
      { ...body("Hi."), header: { format: "text", text: "{{1}} {{2}}", ...examplesOf(["1", "2"]) } },
      ["/components/header/text"]
    ],
    [
      "a variable inside an address",
      { ...body("Hi."), buttons: [{ type: "url", text: "See", url: "https://a.example/{{1}}/x", example: "1" }] },
      ["/components/buttons/0/url"]
    ],
    [
      "an address without an example",
      { ...body("Hi."), buttons: [buttons[0], { type: "url", text: "See", url: "https://a.example/{{1}}" }] },
      ["/components/buttons/1/example"]
    ]
  ] as ReadonlyArray<[string, TemplateComponents, ReadonlyArray<string>]>)(
    "are refused with %s",
    (_, components, at) => {
      assert.deepStrictEqual(pointers(components), at)
    }
  )

  it("have one variable per required value, in order", () => {
    assert.deepStrictEqual(
      findTemplateVariables({
        header: { format: "video" },
        body: { text: "Hi {{ name }}, {{shop}} greets {{name}}." },
        buttons: [...buttons]
      })
        .filter(({ isOptional }) => isOptional !== true)
        .map(({ key, kind }) => [key, kind]),
      [
        ["header", "video"],
        ["body.name", "text"],
        ["body.shop", "text"],
        ["buttons.2", "url_suffix"],
        ["buttons.4", "code"]
      ]
    )
  })
})

describe("filling a template", () => {
  it.prop(
    "takes a value for every variable, and puts it where it belongs",
    { components: wellMade },
    ({ components }) => {
      const values = valuesFor(components)
      const filling = filled(components, values)
      if (!isFilling(filling)) return assert.fail(JSON.stringify(filling))
      const { body: texts, buttons: taps, header } = filling
      const used = {
        ...(header.kind === "text"
          ? Object.fromEntries(Object.entries(header.values).map(([name, value]) => [`header.${name}`, value]))
          : {}),
        ...(header.kind === "media" ? { header: header.mediaId } : {}),
        ...(header.kind === "location"
          ? {
              header: `${header.latitude},${header.longitude}`,
              "header.name": header.name,
              "header.address": header.address
            }
          : {}),
        ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [`body.${name}`, value])),
        ...Object.fromEntries(
          taps.map((tap) => [
            tap.type === "quick_reply" ? `buttons.${tap.index}.payload` : `buttons.${tap.index}`,
            "value" in tap ? tap.value : null
          ])
        )
      }
      assert.deepStrictEqual(used, { ...values })
    }
  )

  it.prop("names each value that is missing or unknown, and no other", { components: wellMade }, ({ components }) => {
    const values = valuesFor(components)
    for (const { isOptional, key } of findTemplateVariables(components)) {
      const { [key]: _, ...others } = values
      if (isOptional === true) {
        assert.isTrue(isFilling(filled(components, others)))
        continue
      }
      assert.deepStrictEqual(filled(components, others), [
        { pointer: `/template/values/${key}`, message: "Expected a value for this variable" }
      ])
    }
    assert.deepStrictEqual(filled(components, { ...values, "body.a/b~c": "x" }), [
      { pointer: "/template/values/body.a~1b~0c", message: "The template does not have this variable" }
    ])
  })

  it.each<[string, TemplateComponents, string, string]>([
    ["two lines", body("Hi {{1}}."), "body.1", "a\nb"],
    ["a tab", body("Hi {{1}}."), "body.1", "a\tb"],
    ["a long gap", body("Hi {{1}}."), "body.1", "a     b"],
    ["a link for a file", { ...body("Hi."), header: { format: "image" } }, "header", "https://acme.example/a.png"],
    ["a place that is nowhere", { ...body("Hi."), header: { format: "location" } }, "header", "91,0"],
    ["words for a place", { ...body("Hi."), header: { format: "location" } }, "header", "Berlin"],
    [
      "a code that is too long",
      { ...body("Hi."), buttons: [{ type: "copy_code", example: "A" }] },
      "buttons.0",
      "A".repeat(21)
    ],
    [
      "an address with a space",
      { ...body("Hi."), buttons: [{ type: "url", text: "See", url: "https://a.example/{{1}}" }] },
      "buttons.0",
      "a b"
    ]
  ])("refuses %s", (_, components, key, value) => {
    const faults = filled(components, { [key]: value })
    assert.deepStrictEqual(isFilling(faults) ? [] : faults.map(({ pointer }) => pointer), [`/template/values/${key}`])
  })

  it("takes nothing that only looks like a value", () => {
    const components = body("Hi {{constructor}} there.", "constructor")
    const faults = filled(components, {})
    assert.deepStrictEqual(isFilling(faults) ? [] : faults.map(({ pointer }) => pointer), [
      "/template/values/body.constructor"
    ])
  })
})

describe("the preview of a template", () => {
  it.prop("shows every value as it is, and leaves no variable open", { components: wellMade }, ({ components }) => {
    const values = valuesFor(components)
    const preview = toTemplatePreview(templateOf(components), values)
    const shown = JSON.stringify(preview)
    assert.notInclude(shown, "{{")
    for (const { key, kind } of findTemplateVariables(components)) {
      if (kind === "text" && key !== "header.address")
        assert.include(JSON.parse(shown)[key.split(".")[0] ?? ""], values[key] ?? "")
    }
    assert.lengthOf(preview.buttons, components.buttons?.length ?? 0)
  })

  it("does not fill in what a value says", () => {
    const preview = toTemplatePreview(templateOf(body("Hi {{1}} and {{2}}.")), { "body.1": "{{2}}", "body.2": "$1" })
    assert.strictEqual(preview.body, "Hi {{2}} and $1.")
  })
})
