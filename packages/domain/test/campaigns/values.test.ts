import { assert, describe, it } from "@effect/vitest"
import type { AttributeValue, FieldType } from "@parley/domain/crm"
import { findTemplateVariables, TemplateInputs, type TemplateVariable } from "@parley/domain/messaging"
import { BroadcastSettings } from "@parley/domain/campaigns"
import { Exit, Schema } from "effect"
import { BroadcastValue, type ValueContact, Variables } from "../../src/campaigns/values/BroadcastValue.ts"
import { analyse, contactVocabulary } from "../../src/campaigns/values/liquid/analyse.ts"
import {
  validateGivenVariables,
  validateVariables,
  requiredPaths
} from "../../src/campaigns/values/validateVariables.ts"
import { renderValue, makeVariablesRenderer } from "../../src/campaigns/values/variablesRenderer.ts"

const field = (key: string, type: FieldType, status: "active" | "deleting" = "active") => ({ key, type, status })

const fields = [
  field("city", "text"),
  field("points", "number"),
  field("member", "boolean"),
  field("birthday", "date"),
  field("level", "enum"),
  field("leaving", "text", "deleting")
]

const body: TemplateVariable = { key: "body.1", in: "body", kind: "text" }
const suffix: TemplateVariable = { key: "buttons.0", in: "buttons", kind: "url_suffix" }
const code: TemplateVariable = { key: "buttons.1", in: "buttons", kind: "code" }
const image: TemplateVariable = { key: "header", in: "header", kind: "image" }

const ana: ValueContact = {
  name: "Ana María López",
  phone: "+34600123456",
  email: "ana@example.com",
  locale: "es",
  attributes: { city: "Köln", points: 1234.5, member: true, birthday: "1990-03-01", level: "gold", leaving: "x" }
}
const nobody: ValueContact = { name: null, phone: null, email: null, locale: null, attributes: {} }

const withAttributes = (attributes: Record<string, AttributeValue>): ValueContact => ({ ...ana, attributes })

const render = (value: BroadcastValue, contact = ana, { language = "en", variable = body } = {}) =>
  renderValue(value, contact, { variable, language, fields })

const liquid = (source: string, fallback?: string): Extract<BroadcastValue, { readonly kind: "liquid" }> => ({
  kind: "liquid",
  source,
  ...(fallback !== undefined && { fallback })
})

const text = (source: string, contact = ana, language = "en") => render(liquid(source), contact, { language })

const isValue = Schema.is(BroadcastValue)
const isVariables = Schema.is(Variables)

describe("a value", () => {
  it.each([
    [{ kind: "constant", value: "Hello" }, true],
    [{ kind: "constant", value: "" }, false],
    [{ kind: "constant", value: "   " }, false],
    [{ kind: "constant", value: "a".repeat(1_024) }, true],
    [{ kind: "constant", value: "a".repeat(1_025) }, false],
    [{ kind: "field", field: "firstName", fallback: "you" }, true],
    [{ kind: "field", field: "lastName" }, false],
    [{ kind: "field", field: "attribute", key: "city" }, true],
    [{ kind: "field", field: "attribute" }, false],
    [{ kind: "field", field: "name", key: "city" }, false],
    [{ kind: "field", field: "attribute", key: "City!" }, false],
    [{ kind: "field", field: "name", fallback: "" }, false],
    [{ kind: "liquid", source: "{{ name }}" }, true],
    [{ kind: "liquid", source: "" }, false],
    [{ kind: "liquid", source: "😀".repeat(1_000) }, true],
    [{ kind: "liquid", source: "a".repeat(1_001) }, false],
    [{ kind: "script", source: "1" }, false]
  ])("is of a shape: %j", (value, fits) => {
    assert.strictEqual(isValue(value), fits)
  })

  it("stands at the key of a variable", () => {
    assert.isTrue(isVariables({ "body.1": { kind: "constant", value: "Hello" } }))
  })

  it.each([
    [{ kind: "constant", value: "two\nlines\r\nof it" }, "two lines of it"],
    [{ kind: "constant", value: "a      gap\tand a tab" }, "a    gap and a tab"],
    [{ kind: "field", field: "name" }, "Ana María López"],
    [{ kind: "field", field: "firstName" }, "Ana"],
    [{ kind: "field", field: "phone" }, "+34600123456"],
    [{ kind: "field", field: "email" }, "ana@example.com"],
    [{ kind: "field", field: "locale" }, "es"],
    [{ kind: "field", field: "attribute", key: "city" }, "Köln"],
    [{ kind: "field", field: "attribute", key: "points" }, "1,234.5"],
    [{ kind: "field", field: "attribute", key: "member" }, "true"],
    [{ kind: "field", field: "attribute", key: "birthday" }, "March 1, 1990"]
  ] as const)("is written for a contact: %j", (value, expected) => {
    assert.strictEqual(render(value), expected)
  })

  it("is written in the language of the template", () => {
    const language = "de"
    assert.strictEqual(render({ kind: "field", field: "attribute", key: "points" }, ana, { language }), "1.234,5")
    assert.strictEqual(
      render({ kind: "field", field: "attribute", key: "birthday" }, ana, { language }),
      "1. März 1990"
    )
    assert.strictEqual(
      render({ kind: "field", field: "attribute", key: "points" }, ana, { language: "xx-99-1" }),
      "1,234.5"
    )
  })

  it("is missing where its path is empty, or has its fallback", () => {
    assert.isNull(render({ kind: "field", field: "firstName" }, nobody))
    assert.strictEqual(render({ kind: "field", field: "firstName", fallback: "you" }, nobody), "you")
    assert.isNull(render({ kind: "field", field: "attribute", key: "city" }, withAttributes({ city: "  " })))
  })

  it("is missing where it is longer than 1,024 characters, or has its fallback", () => {
    const long = withAttributes({ city: "😀".repeat(1_025) })
    assert.isNull(render({ kind: "field", field: "attribute", key: "city" }, long))
    assert.strictEqual(render(liquid("{{ attribute.city }}", "a city"), long), "a city")
    assert.isNotNull(
      render({ kind: "field", field: "attribute", key: "city" }, withAttributes({ city: "😀".repeat(1_024) }))
    )
  })

  it("is plain at the end of an address and in a code, and fits there", () => {
    const points: BroadcastValue = { kind: "field", field: "attribute", key: "points" }
    assert.strictEqual(render(points, ana, { language: "de", variable: suffix }), "1234.5")
    assert.strictEqual(render(liquid("SAVE{{ 25 }}"), ana, { language: "de", variable: code }), "SAVE25")
    // The provider accepts letters and digits in a code.
    assert.isNull(render(points, ana, { language: "de", variable: code }))
    const name: BroadcastValue = { kind: "field", field: "name" }
    assert.isNull(render(name, ana, { variable: suffix }))
    assert.isNull(
      render({ kind: "field", field: "email" }, { ...ana, email: "far.too.long@example.com" }, { variable: code })
    )
    assert.strictEqual(
      render(liquid("{{ name | url_encode }}"), ana, { variable: suffix }),
      "Ana+Mar%C3%ADa+L%C3%B3pez"
    )
  })
})

describe("a liquid value", () => {
  it.each([
    ["Hi {{ firstName }}!", "Hi Ana!"],
    ["{{ attribute['city'] }}", "Köln"],
    [
      "{{ name | upcase }} {{ name | downcase }} {{ 'eLLA maria' | capitalize }}",
      "ANA MARÍA LÓPEZ ana maría lópez Ella maria"
    ],
    ["{{ '  a ' | strip }}.", "a."],
    ["{{ name | truncate: 6 }}|{{ name | truncate: 5, '…' }}|{{ name | truncate }}", "Ana...|Ana …|Ana María López"],
    ["{{ attribute.points }}", "1,234.5"],
    ["{{ attribute.points | plus: 1 | minus: '0.25' }}", "1,235.25"],
    ["{{ attribute.points | round }} {{ 2.675 | round: 2 }} {{ 0.1 | plus: 0.2 }}", "1,235 2.68 0.3"],
    ["{{ attribute.birthday }}", "March 1, 1990"],
    ["{{ attribute.birthday | date }}", "March 1, 1990"],
    ["{{ attribute.birthday | date: '%-d. %B %Y, %A' }}", "1. March 1990, Thursday"],
    ["{{ '2026-11-22T09:05:00Z' | date: '%H:%M %d/%m/%y %e %l %p %%' }}", "09:05 22/11/26 22 9 AM %"],
    ["{{ attribute.city | url_encode }}", "K%C3%B6ln"],
    ["{{ attribute.birthday | url_encode }}", "1990-03-01"],
    ["{% if attribute.points > 1000 %}many{% elsif attribute.points > 1 %}some{% else %}few{% endif %}", "many"],
    ["{% if attribute.birthday < '2000-01-01' and attribute.level == 'gold' %}old gold{% endif %}", "old gold"],
    [
      "{% if attribute.member %}{% if name contains 'María' %}{% if locale == 'es' %}sí{% endif %}{% endif %}{% endif %}",
      "sí"
    ],
    ["{% if not attribute.member %}no{% else %}yes{% endif %}", "yes"],
    ["a {%- if true -%} b {%- endif %}", "ab"],
    ["{{ name | default: 'you' }}", "Ana María López"]
  ])("is rendered: %s", (source, expected) => {
    assert.strictEqual(text(source), expected)
    assert.deepStrictEqual(analyse(source, contactVocabulary).faults, [])
  })

  it.each([
    ["{{ firstName | default: 'you' }}", "you"],
    ["{{ firstName | upcase | default: 'you' }}", "you"],
    ["{{ attribute.points | plus: 5 | default: 0 }}", "0"],
    ["{% if firstName %}Hi{% else %}Hello{% endif %}", "Hello"],
    ["{{ firstName }}", null],
    ["Hi {{ firstName | upcase }}", null],
    ["{% if true %}Hi{% else %}{{ firstName }}{% endif %}", null],
    ["{{ 'x' | truncate: attribute.points }}", null],
    ["{{ firstName | default: email }}", null],
    ["{{ firstName | default: '' }}", null],
    ["{% if firstName %}Hi{% endif %}", null],
    ["{{ nil | default: 'x' }}", "x"],
    ["{{ blank | upcase | default: 'x' }}", "x"],
    ["{{ 'x' | default: nil }}", "x"],
    ["{{ nil | default: nil }}", null]
  ])("without anything known of the contact: %s", (source, expected) => {
    assert.strictEqual(text(source, nobody), expected)
    assert.strictEqual(render(liquid(source, "fallback"), nobody), expected ?? "fallback")
  })

  it.each([
    "{{ attribute.city | plus: 1 }}",
    "{{ attribute.city | date }}",
    "{{ attribute.city | round }}",
    "{{ attribute.points | round: 11 }}",
    "{{ name | truncate: -1 }}",
    "{{ name | truncate: 'x' }}",
    `{{ attribute.city${" | url_encode".repeat(60)} }}`
  ])("is missing where it fails: %s", (source) => {
    const contact = withAttributes({ ...ana.attributes, city: "ä".repeat(2_000) })
    assert.isNull(text(source, contact))
    assert.strictEqual(render(liquid(source, "fallback"), contact), "fallback")
  })

  it("reads nothing but what the contact has", () => {
    for (const key of ["constructor", "toString", "hasOwnProperty"]) {
      assert.isNull(render({ kind: "field", field: "attribute", key }))
      assert.isNull(text(`{{ attribute.${key} }}`))
    }
    assert.isNull(text("{{ attribute.__proto__ }}"))
  })

  it("writes in the language of the template", () => {
    assert.strictEqual(text("{{ attribute.birthday | date: '%B' }} {{ attribute.points }}", ana, "de"), "März 1.234,5")
    assert.strictEqual(text("{{ 'i' | upcase }}", ana, "tr"), "İ")
  })

  it.each([
    ["{{ lastName }}", "The variable lastName does not exist"],
    ["{{ contact.name }}", "The variable contact.name does not exist"],
    ["{{ name.size }}", "The variable name.size does not exist"],
    ["{{ attribute }}", "The variable attribute does not exist"],
    ["{{ attribute[name] }}", "The variable attribute[name] does not exist"],
    ["{{ attribute.city.first }}", "The variable attribute.city.first does not exist"],
    ["{{ name | append: 'x' }}", "The filter append does not exist"],
    ["{{ name | constructor }}", "The filter constructor does not exist"],
    ["{{ name | default }}", "Expected 1 values after the filter"],
    ["{{ name | upcase: 1 }}", "Expected 0 values after the filter"],
    ["{{ name | default: 'x', allow_false: true }}", "Expected unnamed values"],
    ["{{ attribute.birthday | date: '%Q' }}", "The date format does not support %Q"],
    ["{{ 'now' | date: '%Y' }}", "now and today are not supported"],
    ["{{ name foo }}", "Expected one value"],
    ["{{ name, email }}", "Expected one value"],
    ["{{ name == 'Ana' }}", "not a comparison"],
    ["{{ (1..1000000000) }}", "Expected a text, a number"],
    ["{{ }}", "The Liquid is not valid"],
    ["{{ name", "The Liquid is not valid"],
    ["{{ name | }} {{ name | upcase | | strip }}", "The Liquid is not valid"],
    ["{% if name %}x", "The Liquid is not valid"],
    ["x{% endif %}", "The Liquid is not valid"],
    ["{% if name == %}x{% endif %}", "Expected one value"],
    ["{% if name | upcase == 'ANA' %}x{% endif %}", "The Liquid is not valid"],
    ["{% if name | upcase %}x{% endif %}", "Expected no filters"],
    ["{% if nothing %}x{% endif %}", "The variable nothing does not exist"],
    ["{% if name %}{% else %}{% else %}{% endif %}", "The Liquid is not valid"],
    ["{% if name %}{% if name %}{% if name %}{% if name %}x{% endif %}{% endif %}{% endif %}{% endif %}", "at most 3"],
    ["{% for a in attribute %}x{% endfor %}", "not for"],
    ["{% assign a = 1 %}", "not assign"],
    ["{% capture a %}{% endcapture %}", "not capture"],
    ["{% include 'secrets' %}", "not include"],
    ["{% render 'secrets' %}", "not render"],
    ["{% raw %}{{ name }}{% endraw %}", "not raw"],
    ["{% unless name %}x{% endunless %}", "not unless"],
    ["{% liquid\nassign a = 1 %}", "not liquid"],
    ["{% # note %}", "not #"]
  ])("is invalid: %s", (source, expected) => {
    const { faults } = analyse(source, contactVocabulary)
    assert.isNotEmpty(faults)
    assert.isTrue(
      faults.some((fault) => fault.includes(expected)),
      faults.join("\n")
    )
    assert.isNull(text(source))
  })

  it("reports the places of its errors", () => {
    assert.deepStrictEqual(
      analyse("😀 {{ name }} {{ lastName }}", contactVocabulary).faults.map(
        (fault) => /at character \d+/u.exec(fault)?.[0]
      ),
      ["at character 17"]
    )
  })

  const Sources = Schema.Array(
    Schema.Literals([
      "{{",
      "}}",
      "{%",
      "%}",
      " if ",
      " else ",
      " endif ",
      " elsif ",
      " name ",
      " | ",
      " default: 'x' ",
      " 'y' ",
      " upcase ",
      "attribute.city",
      " == ",
      " and ",
      " ( ",
      " .. ",
      " for ",
      "-",
      "'",
      " raw "
    ])
  ).check(Schema.isMaxLength(30))

  it.prop(
    "parses or reports errors for every text",
    { words: Sources },
    ({ words }) => {
      const source = words.join("")
      const { faults } = analyse(source, contactVocabulary)
      if (faults.length > 0) assert.isNull(text(source))
      else assert.doesNotThrow(() => text(source))
    },
    { arbitrary: { runs: 2_000 } }
  )
})

/** Valid sources with their requirements. */
const Pieces = Schema.Array(
  Schema.Literals([
    "text ",
    "{{ name }}",
    "{{ firstName | upcase }}",
    "{{ email | default: 'mail' }}",
    "{{ attribute.city }}",
    "{{ attribute.points | plus: 1 }}",
    "{{ attribute.points | plus: 1 | default: 2 }}",
    "{{ attribute.birthday | date: '%Y' }}",
    "{% if attribute.member %}{{ phone }}{% else %}other{% endif %}",
    "{% if locale == 'es' %}hola {{ attribute.level }}{% elsif name %}hi{% endif %}",
    "{% if attribute.city %}{{ attribute.city | default: 'there' }}{% endif %}"
  ])
).check(Schema.isBetweenLength(1, 6))

const Known = Schema.Struct({
  name: Schema.NullOr(Schema.Literals(["Ana", "Bo Li"])),
  phone: Schema.NullOr(Schema.Literal("+34600123456")),
  email: Schema.NullOr(Schema.Literal("ana@example.com")),
  locale: Schema.NullOr(Schema.Literals(["es", "de"])),
  city: Schema.NullOr(Schema.Literals(["Köln", " "])),
  points: Schema.NullOr(Schema.Literals([0, 12])),
  member: Schema.NullOr(Schema.Boolean),
  birthday: Schema.NullOr(Schema.Literal("1990-03-01")),
  level: Schema.NullOr(Schema.Literal("gold"))
})

const contactOf = ({ email, locale, name, phone, ...attributes }: typeof Known.Type): ValueContact => ({
  name,
  phone,
  email,
  locale,
  attributes: Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))
  )
})

const has = (contact: ValueContact, { field, key }: { readonly field: string; readonly key?: string }) => {
  const found =
    field === "attribute"
      ? contact.attributes[key ?? ""]
      : { ...contact, firstName: contact.name }[field as "email" | "firstName" | "locale" | "name" | "phone"]
  return found !== null && found !== undefined && !(typeof found === "string" && found.trim() === "")
}

describe("required contact fields of variables", () => {
  it("is each path without a default and a fallback, once", () => {
    assert.deepStrictEqual(
      requiredPaths({
        a: { kind: "field", field: "firstName" },
        b: { kind: "field", field: "email", fallback: "mail" },
        c: liquid("{{ firstName }}{{ attribute.city | upcase }}{% if phone %}{{ name | default: 'x' }}{% endif %}"),
        d: liquid("{{ attribute.points }}", "none"),
        e: { kind: "constant", value: "x" },
        f: { kind: "field", field: "attribute", key: "level" }
      }),
      [{ field: "firstName" }, { field: "attribute", key: "city" }, { field: "attribute", key: "level" }]
    )
  })

  it.prop(
    "is all that it needs: where the contact has it, the value is missing only if nothing is written; where not, it is missing",
    { pieces: Pieces, known: Known },
    ({ known, pieces }) => {
      const contact = contactOf(known)
      const value = liquid(pieces.join(""))
      const hasAll = requiredPaths({ a: value }).every((path) => has(contact, path))
      const always = liquid(`.${pieces.join("")}`)
      assert.strictEqual(render(always, contact) !== null, hasAll)
      if (!hasAll) assert.isNull(render(value, contact))
      assert.isNotNull(render({ ...value, fallback: "x" }, contact))
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("the variables of a template", () => {
  const variables = [image, body, suffix]
  const faults = (values: Variables) =>
    validateVariables(values, { variables, fields, pointer: "/variables" }).map(({ pointer }) => pointer)
  const photo: BroadcastValue = { kind: "constant", value: "01900000-0000-7000-8000-000000000001" }
  const fine: Variables = {
    header: photo,
    "body.1": liquid("{{ name }}"),
    "buttons.0": { kind: "constant", value: "x" }
  }

  it.each([
    ["none", fine, []],
    ["all are missing", {}, ["/variables/header", "/variables/body.1", "/variables/buttons.0"]],
    ["one too many", { ...fine, "a/b": photo }, ["/variables/a~1b"]],
    ["a file that is not constant", { ...fine, header: liquid("{{ name }}") }, ["/variables/header/kind"]],
    ["a file that is none", { ...fine, header: { kind: "constant", value: "x" } }, ["/variables/header/value"]],
    [
      "an end of an address with spaces",
      { ...fine, "buttons.0": { kind: "constant", value: "a b" } },
      ["/variables/buttons.0/value"]
    ],
    [
      "a fallback that does not fit",
      { ...fine, "buttons.0": { kind: "field", field: "name", fallback: "a b" } },
      ["/variables/buttons.0/fallback"]
    ],
    [
      "a field that is not there",
      { ...fine, "body.1": { kind: "field", field: "attribute", key: "other" } },
      ["/variables/body.1/key"]
    ],
    [
      "a field that is being deleted",
      { ...fine, "body.1": { kind: "field", field: "attribute", key: "leaving" } },
      ["/variables/body.1/key"]
    ],
    [
      "a field of Liquid that is not there, even in a condition",
      { ...fine, "body.1": liquid("{% if attribute.other %}x{% endif %}{{ attribute.leaving }}") },
      ["/variables/body.1/source", "/variables/body.1/source"]
    ],
    [
      "invalid Liquid",
      { ...fine, "body.1": liquid("{{ lastName }}{% for %}") },
      ["/variables/body.1/source", "/variables/body.1/source"]
    ],
    ["lines", { ...fine, "body.1": { kind: "constant", value: "two\nlines" } }, []]
  ] as const satisfies ReadonlyArray<readonly [string, Variables, ReadonlyArray<string>]>)(
    "is invalid: %s",
    (_, values, pointers) => {
      assert.deepStrictEqual(faults(values), [...pointers])
    }
  )

  it("may be left out of a draft", () => {
    const surroundings = { variables, fields, pointer: "/variables" }
    assert.deepStrictEqual(validateGivenVariables({}, surroundings), [])
    assert.lengthOf(validateGivenVariables({ "body.2": photo }, surroundings), 1)
  })

  it("fill offers, codes, cards and products, and leave optional ones out", () => {
    const rich = findTemplateVariables({
      limitedTimeOffer: { text: "Hurry", hasExpiration: true },
      body: { text: "Hello." },
      buttons: [
        { type: "copy_code", example: "SAVE25" },
        { type: "quick_reply", text: "More" }
      ],
      cards: [0, 1].map(() => ({
        header: { format: "image" as const },
        buttons: [{ type: "url" as const, text: "Buy", url: "https://acme.example/{{1}}" }]
      }))
    })
    const given: Variables = {
      "offer.expiresAt": { kind: "constant", value: "2026-12-01T18:00:00Z" },
      "buttons.0": liquid("SAVE{{ 25 }}"),
      "cards.0.header": photo,
      "cards.0.buttons.0": { kind: "field", field: "attribute", key: "level" },
      "cards.1.header": photo,
      "cards.1.buttons.0": liquid("{{ attribute.level }}-2")
    }
    const context = { variables: rich, fields, pointer: "/variables" }
    assert.deepStrictEqual(validateVariables(given, context), [])
    const expected = {
      "offer.expiresAt": "2026-12-01T18:00:00Z",
      "buttons.0": "SAVE25",
      "cards.0.header": photo.value,
      "cards.0.buttons.0": "gold",
      "cards.1.header": photo.value,
      "cards.1.buttons.0": "gold-2"
    }
    const answer = makeVariablesRenderer(given, { variables: rich, fields, language: "en" })(ana)
    assert.deepStrictEqual(answer, { values: expected, missing: null })
    const optional: Variables = { ...given, "buttons.1.payload": { kind: "field", field: "email" } }
    assert.deepStrictEqual(
      makeVariablesRenderer(optional, { variables: rich, fields, language: "en" })({ ...ana, email: null }),
      { values: expected, missing: null }
    )
    const wrong: Variables = { ...given, "offer.expiresAt": { kind: "constant", value: "tomorrow" } }
    assert.deepStrictEqual(
      validateVariables({ ...wrong, "cards.1.header": liquid("{{ name }}") }, context).map(({ pointer }) => pointer),
      ["/variables/offer.expiresAt/value", "/variables/cards.1.header/kind"]
    )
  })

  it("are rendered together, or the missing ones are reported", () => {
    const renderAll = makeVariablesRenderer(fine, { variables, fields, language: "en" })
    assert.deepStrictEqual(renderAll(ana), {
      values: { header: photo.value, "body.1": "Ana María López", "buttons.0": "x" },
      missing: null
    })
    assert.deepStrictEqual(renderAll(nobody), {
      values: null,
      found: { header: photo.value, "buttons.0": "x" },
      missing: ["body.1"]
    })
    assert.deepStrictEqual(makeVariablesRenderer({}, { variables, fields, language: "en" })(ana), {
      values: null,
      found: {},
      missing: ["header", "body.1", "buttons.0"]
    })
  })
})

it("refuses keys of variables that are too long, and languages that are none, instead of leaving them out", () => {
  const value = { kind: "constant", value: "x" }
  const long = "k".repeat(101)
  for (const [schema, good, bad] of [
    [Variables, { ["k".repeat(100)]: value }, { [long]: value }],
    [TemplateInputs, { ["k".repeat(100)]: "x" }, { body: "x", [long]: "x" }],
    [BroadcastSettings.fields.optOutReply, { de: "Gut." }, { de: "Gut.", "not a language": "Done." }],
    [BroadcastSettings.fields.optOutKeywords, { de: ["ende"] }, { de: ["ende"], "not a language": ["over"] }]
  ] as const) {
    const decode = Schema.decodeUnknownExit(schema)
    assert.isTrue(Exit.isSuccess(decode(good)))
    assert.isTrue(Exit.isFailure(decode(bad)))
  }
})
