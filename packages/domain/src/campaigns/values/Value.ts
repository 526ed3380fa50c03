import { Schema } from "effect"
import { FieldKey } from "../../crm/index.ts"
import { Prose } from "../../platform/identity/index.ts"

/** As long as the value of a variable may be. */
export const longestValue = 1_024

const text = Prose.check(
  Schema.isBetweenCodePoints(1, longestValue, { message: `Expected 1 to ${longestValue} characters` }),
  Schema.makeFilter((said: string) => said.trim() !== "" || "Expected more than spaces")
)

/** What a value may say of a contact. */
export const ValueField = Schema.Literals(["name", "firstName", "phone", "email", "locale", "attribute"])
export type ValueField = typeof ValueField.Type

const fallback = Schema.optionalKey(text).annotateKey({
  description: "What stands there for contacts that the value cannot be made for. Without one they are left out."
})

const ConstantValue = Schema.Struct({ kind: Schema.Literal("constant"), value: text })

const FieldValue = Schema.Struct({
  kind: Schema.Literal("field"),
  field: ValueField,
  key: Schema.optionalKey(FieldKey).annotateKey({ description: "The key of the contact field, for `attribute` only." }),
  fallback
}).check(
  Schema.makeFilter(
    ({ field, key }) =>
      (field === "attribute") === (key !== undefined) || "Expected a key with attribute, and only there"
  )
)

const LiquidValue = Schema.Struct({
  kind: Schema.Literal("liquid"),
  source: Prose.check(Schema.isBetweenCodePoints(1, 1_000, { message: "Expected 1 to 1000 characters" })).annotate({
    description:
      "Text with `{{ output }}` and `{% if %}`, `{% elsif %}`, `{% else %}`, at most three levels deep. It may name `name`, `firstName`, `phone`, `email`, `locale` and `attribute.<key>`, and use the filters default, upcase, downcase, capitalize, strip, truncate, date, plus, minus, round and url_encode."
  }),
  fallback
})

/** What a variable of a template is filled with: the same for everybody, something of the contact, or a text made of that. */
export const Value = Schema.Union([ConstantValue, FieldValue, LiquidValue]).annotate({ identifier: "BroadcastValue" })
export type Value = typeof Value.Type

/** The values of a template's variables, by their keys. */
export const Variables = Schema.Record(Schema.String, Value).check(
  Schema.isPropertyNames(
    Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })),
    { message: "Expected a name of at most 100 characters" }
  )
)
export type Variables = typeof Variables.Type
