import { assert, describe, it } from "@effect/vitest"
import {
  coerceToSchema,
  validateSchemaValue,
  type PluginSchema,
  toItemSchema,
  toMemberSchema,
  findAllowedTypes
} from "@parley/domain/integrations"
import { Schema } from "effect"

const scalars = ["string", "integer", "number", "boolean", "null", "array", "object"] as const

const typesOf = (value: Schema.Json): ReadonlyArray<string> => {
  if (value === null) return ["null"]
  if (Array.isArray(value)) return ["array"]
  return typeof value === "number" ? ["number", "integer"] : [typeof value]
}

describe("a value for a schema", () => {
  it("is coerced to the type of the schema", () => {
    const cases: ReadonlyArray<readonly [PluginSchema, Schema.Json, Schema.Json]> = [
      [{ type: "integer" }, "5", 5],
      [{ type: "integer" }, " 5 ", 5],
      [{ type: "integer" }, "5.0", 5],
      [{ type: "integer" }, "5.5", "5.5"],
      [{ type: "integer" }, "007", "007"],
      [{ type: "integer" }, "12345678901234567890", "12345678901234567890"],
      [{ type: "integer" }, "", ""],
      [{ type: "number" }, "5.5", 5.5],
      [{ type: "number" }, "1e400", "1e400"],
      [{ type: "number" }, "0x10", "0x10"],
      [{ type: "string" }, 5, "5"],
      [{ type: "string" }, true, "true"],
      [{ type: "boolean" }, "true", true],
      [{ type: "boolean" }, 1, 1],
      [{ type: ["string", "integer"] }, "5", "5"],
      [{ enum: [1, 2] }, "2", 2],
      [{ const: "2" }, 2, "2"],
      [{ anyOf: [{ type: "integer" }, { type: "boolean" }] }, "true", true],
      [{ type: "integer", minimum: 10 }, "5", "5"],
      [{ type: "string" }, [1], [1]],
      [true, "5", "5"],
      [{}, 5, 5]
    ]
    for (const [schema, value, expected] of cases) {
      assert.deepStrictEqual(coerceToSchema(schema, value), expected, JSON.stringify([schema, value]))
    }
    const money = { amountMinor: 4999, currency: "EUR" }
    assert.strictEqual(coerceToSchema({ type: "string" }, money, "49.99"), "49.99")
    assert.strictEqual(coerceToSchema({ type: "object" }, money, "49.99"), money)
  })

  it.prop(
    "stays unchanged when it fits, and when no form fits",
    { value: Schema.Json, type: Schema.Literals(scalars) },
    ({ type, value }) => {
      const schema = { type }
      const coerced = coerceToSchema(schema, value)
      if (validateSchemaValue(schema, value, "").length === 0) assert.strictEqual(coerced, value)
      if (validateSchemaValue(schema, coerced, "").length > 0) assert.strictEqual(coerced, value)
      // Coercion is idempotent.
      assert.strictEqual(coerceToSchema(schema, coerced), coerced)
    }
  )

  it.prop(
    "has a type that the schema allows",
    { value: Schema.Json, one: Schema.Literals(scalars), other: Schema.Literals(scalars) },
    ({ one, other, value }) => {
      const types = [...new Set([one, other])]
      const schema: PluginSchema = { allOf: [{ type: types }, { anyOf: types.map((type) => ({ type })) }] }
      const allowed = findAllowedTypes(schema)
      assert.deepStrictEqual(allowed, new Set(types))
      if (validateSchemaValue(schema, value, "").length > 0) return
      assert.isTrue(typesOf(value).some((type) => allowed?.has(type) === true))
    }
  )

  it("finds the schema of a member and of an item", () => {
    const schema = {
      properties: { a: { type: "integer" } },
      allOf: [{ properties: { a: { minimum: 1 } }, additionalProperties: false }]
    }
    assert.deepStrictEqual(toMemberSchema(schema, "a"), { allOf: [{ type: "integer" }, { minimum: 1 }] })
    assert.strictEqual(toMemberSchema(schema, "b"), false)
    assert.strictEqual(toMemberSchema({}, "b"), true)
    assert.strictEqual(toMemberSchema(true, "b"), true)
    assert.strictEqual(toMemberSchema(false, "b"), false)
    assert.strictEqual(toMemberSchema({ properties: {} }, "constructor"), true)
    const list = { prefixItems: [{ type: "string" }], items: false }
    assert.deepStrictEqual(toItemSchema(list, 0), { type: "string" })
    assert.strictEqual(toItemSchema(list, 1), false)
    assert.deepStrictEqual([findAllowedTypes(true), findAllowedTypes({})], [null, null])
    assert.deepStrictEqual(findAllowedTypes(false), new Set())
  })
})
