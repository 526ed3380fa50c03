import { Schema } from "effect"
import { type AttributeValue, FieldKey } from "../../crm/index.ts"
import { MultiLineText } from "../../platform/identity/index.ts"

/** Maximum length of a variable's value. */
export const maxValueLength = 1_024

const text = MultiLineText.check(
  Schema.isBetweenCodePoints(1, maxValueLength, { message: `Expected 1 to ${maxValueLength} characters` }),
  Schema.makeFilter((text: string) => text.trim() !== "" || "Expected more than spaces")
)

/** Contact field of a value. */
export const ValueField = Schema.Literals(["name", "firstName", "phone", "email", "locale", "attribute"])
export type ValueField = typeof ValueField.Type

const fallback = Schema.optionalKey(text).annotateKey({
  description: "Value for contacts without the source value. Without a default these contacts are excluded."
})

const ConstantValue = Schema.Struct({ kind: Schema.Literal("constant"), value: text })

const FieldValue = Schema.Struct({
  kind: Schema.Literal("field"),
  field: ValueField,
  key: Schema.optionalKey(FieldKey).annotateKey({ description: "Key of the contact field, for `attribute` only." }),
  fallback
}).check(
  Schema.makeFilter(
    ({ field, key }) =>
      (field === "attribute") === (key !== undefined) || "Expected a key if, and only if, the field is attribute"
  )
)

const LiquidValue = Schema.Struct({
  kind: Schema.Literal("liquid"),
  source: MultiLineText.check(
    Schema.isBetweenCodePoints(1, 1_000, { message: "Expected 1 to 1000 characters" })
  ).annotate({
    description:
      "Text with `{{ output }}` and `{% if %}`, `{% elsif %}`, `{% else %}`, at most three levels deep. Variables: `name`, `firstName`, `phone`, `email`, `locale` and `attribute.<key>`. Filters: default, upcase, downcase, capitalize, strip, truncate, date, plus, minus, round and url_encode."
  }),
  fallback
})

/** Value of a template variable: a constant, a contact field, or a Liquid text over contact fields. */
export const BroadcastValue = Schema.Union([ConstantValue, FieldValue, LiquidValue]).annotate({
  identifier: "BroadcastValue"
})
export type BroadcastValue = typeof BroadcastValue.Type

/** Values of a template's variables, by key. */
export const Variables = Schema.Record(Schema.String, BroadcastValue).check(
  Schema.isPropertyNames(
    Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })),
    { message: "Expected a name of at most 100 characters" }
  )
)
export type Variables = typeof Variables.Type

/** Contact field that a value needs: a standard field, or the attribute with this key. */
export interface ContactPath {
  readonly field: ValueField
  readonly key?: string
}

/** Formats a path as Liquid. */
export const formatContactPath = ({ field, key }: ContactPath): string =>
  key === undefined ? field : `${field}.${key}`

/** Contact fields for values. */
export interface ValueContact {
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly locale: string | null
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** Returns the first word of a name; every name has one. */
const firstWord = (name: string) => name.trim().split(/\s+/u, 1)[0] ?? null

const readField = ({ attributes, email, locale, name, phone }: ValueContact, { field, key }: ContactPath) => {
  switch (field) {
    case "name":
      return name
    case "firstName":
      return name === null ? null : firstWord(name)
    case "phone":
      return phone
    case "email":
      return email
    case "locale":
      return locale
    case "attribute":
      return key !== undefined && Object.hasOwn(attributes, key) ? (attributes[key] ?? null) : null
  }
}

/** Returns the contact's value at a path; `null` if empty. */
export const readPath = (contact: ValueContact, path: ContactPath): AttributeValue | null => {
  const value = readField(contact, path)
  return typeof value === "string" && value.trim() === "" ? null : value
}
