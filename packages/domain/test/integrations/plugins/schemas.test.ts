import { assert, describe, it } from "@effect/vitest"
import { validatePluginSchema, validateSchemaValue } from "@parley/domain/integrations"
import type { Schema } from "effect"

const wrong = (schema: Schema.Json, secrets = true) =>
  validatePluginSchema(schema, "", { secrets }).map(({ pointer }) => pointer)

const refused = (schema: Schema.Json, value: Schema.Json) =>
  validateSchemaValue(schema, value, "").map(({ message, pointer }) => `${pointer} ${message}`)

const object = (properties: Readonly<Record<string, Schema.Json>>) => ({ type: "object", properties })

describe("schemas of plugins", () => {
  it("are refused with the place of each error", () => {
    assert.deepStrictEqual(wrong({ type: "array" }), [""])
    assert.deepStrictEqual(wrong(object({ a: { $ref: "#/x" }, "b/c": { pattern: "(a+)+$" } })), [
      "/properties/a/$ref",
      "/properties/b~1c/pattern"
    ])
    assert.deepStrictEqual(wrong(object({ a: { $dynamicRef: "#" }, b: { patternProperties: {} } })), [
      "/properties/a/$dynamicRef",
      "/properties/b/patternProperties"
    ])
    assert.deepStrictEqual(wrong(object({ a: { minLength: -1 }, b: { type: "text" }, c: 7, d: { reqired: [] } })), [
      "/properties/a/minLength",
      "/properties/b/type",
      "/properties/c",
      "/properties/d/reqired"
    ])
    assert.deepStrictEqual(wrong({ type: "object", $schema: "http://json-schema.org/draft-07/schema#" }), ["/$schema"])
    assert.deepStrictEqual(wrong({ type: "object", __proto__: { type: "object" } }), [])
  })

  it("nest five levels and no deeper", () => {
    const nested = (levels: number): Schema.Json =>
      levels === 1 ? { type: "object" } : { type: "object", properties: { a: nested(levels - 1) } }
    assert.deepStrictEqual(wrong(nested(5)), [])
    assert.deepStrictEqual(wrong(nested(6)), ["/properties/a/properties/a/properties/a/properties/a/properties/a"])
  })

  it("mark texts of the outermost level as secret, and nothing else", () => {
    const secret = { type: "string", "x-parley-secret": true }
    assert.deepStrictEqual(wrong(object({ key: secret })), [])
    assert.deepStrictEqual(wrong(object({ key: secret }), false), ["/properties/key/x-parley-secret"])
    assert.deepStrictEqual(wrong(object({ key: { ...secret, type: "integer" } })), ["/properties/key/x-parley-secret"])
    assert.deepStrictEqual(wrong(object({ deep: object({ key: secret }) })), [
      "/properties/deep/properties/key/x-parley-secret"
    ])
  })
})

describe("values", () => {
  it("are held to what their schema says", () => {
    const schema = {
      type: "object",
      required: ["name"],
      additionalProperties: false,
      properties: {
        name: { type: "string", minLength: 2, maxLength: 3 },
        points: { type: "integer", minimum: 1, exclusiveMaximum: 10, multipleOf: 2 },
        kind: { enum: ["a", { b: 1, c: 2 }] },
        list: { type: "array", items: { type: "boolean" }, maxItems: 2, uniqueItems: true },
        choice: { oneOf: [{ type: "string" }, { const: 1 }] },
        other: JSON.parse(
          '{ "not": { "type": "null" }, "if": { "type": "number" }, "then": { "minimum": 5 }, "else": { "type": "string" } }'
        )
      }
    }
    assert.deepStrictEqual(
      refused(schema, { name: "äöü", points: 8, kind: { c: 2, b: 1 }, list: [true], choice: 1 }),
      []
    )
    assert.deepStrictEqual(refused(schema, {}), ["/name Expected a value"])
    assert.deepStrictEqual(
      refused(schema, { name: "x", points: 3, kind: "b", list: [1, 1, 1], choice: true, more: 1 }),
      [
        "/name Expected at least 2 characters",
        "/points Expected a multiple of 2",
        "/kind Expected one of the listed values",
        "/list Expected at most 2 items",
        "/list Expected each item once",
        "/list/0 Expected the type boolean",
        "/list/1 Expected the type boolean",
        "/list/2 Expected the type boolean",
        "/choice Expected exactly one of several forms",
        "/more There is no property with this name"
      ]
    )
    assert.deepStrictEqual(refused(schema, { name: "ab", other: 3 }), ["/other Expected at least 5"])
    assert.deepStrictEqual(refused(schema, { name: "ab", other: null }), [
      "/other Expected another form",
      "/other Expected the type string"
    ])
    assert.deepStrictEqual(refused(schema, []), [" Expected the type object"])
  })

  it("know no member by the names of all objects", () => {
    assert.deepStrictEqual(refused({ type: "object", required: ["constructor", "toString"] }, {}), [
      "/constructor Expected a value",
      "/toString Expected a value"
    ])
    const strict = { type: "object", properties: {}, additionalProperties: false }
    assert.deepStrictEqual(refused(strict, JSON.parse('{"__proto__":1}')), [
      "/__proto__ There is no property with this name"
    ])
  })

  it("have a bounded cost for every schema", () => {
    const branches = Array.from({ length: 8_000 }, () => ({ const: 1 }))
    const schema = { type: "object", properties: { list: { items: { anyOf: branches } } } }
    const value = { list: Array.from({ length: 30_000 }, () => 0) }
    assert.deepStrictEqual(refused(schema, value), [" The validation of this value takes too long"])
    const long = "x".repeat(60_000)
    const lengths = {
      type: "object",
      properties: { text: { anyOf: Array.from({ length: 3_000 }, () => ({ maxLength: 1 })) } }
    }
    assert.deepStrictEqual(refused(lengths, { text: long }), [" The validation of this value takes too long"])
  })

  it("are looked through once for what a schema lists, however many there are", () => {
    const list = Array.from({ length: 20_000 }, () => ({}))
    const names = Array.from({ length: 6_000 }, (_, index) => [`n${index}`, true] as const)
    const dependent = {
      type: "object",
      properties: { list: { items: { dependentSchemas: Object.fromEntries(names) } } }
    }
    assert.deepStrictEqual(refused(dependent, { list }), [" The validation of this value takes too long"])
    const repeated = Array.from({ length: 1_000 }, () => "null")
    const within = { required: repeated, type: repeated, dependentRequired: { a: repeated } }
    assert.sameMembers(
      validatePluginSchema({ type: "object", properties: { one: within } }, "", { secrets: false }).map(
        ({ pointer }) => pointer
      ),
      ["/properties/one/required", "/properties/one/type", "/properties/one/dependentRequired"]
    )
  })

  it("have no text that no database keeps", () => {
    for (const value of [{ a: "\0" }, { a: [{ b: "\ud800" }] }, { "\0": 1 }]) {
      assert.match(refused({ type: "object" }, value).join(), /Expected text that is valid Unicode/u)
    }
  })
})
