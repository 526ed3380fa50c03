import { DateTime, Option, Schema } from "effect"
import { type ValidationIssue, isExactNumber, isStorable } from "../kernel/index.ts"
import { MultiLineText } from "../platform/identity/index.ts"
import { type ContactField, FieldKey } from "./ContactFields.ts"

const TextValue = MultiLineText.check(Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" }))

/** Value of a custom field. A date is a text such as 2026-03-01. */
export const AttributeValue = Schema.Union([TextValue, Schema.Finite, Schema.Boolean])
export type AttributeValue = typeof AttributeValue.Type

/** Values of a contact's custom fields, by key. */
export const Attributes = Schema.Record(FieldKey, AttributeValue)
export type Attributes = typeof Attributes.Type

/** Changes of custom fields, by key; `null` clears a field. */
export const AttributesInput = Schema.Record(Schema.String, Schema.NullOr(AttributeValue)).check(
  isStorable,
  Schema.isMaxProperties(100, { message: "Expected at most 100 attributes" })
)
export type AttributesInput = typeof AttributesInput.Type

/** Whether the text is an existing day, such as 2026-03-01. */
export const isCalendarDate = (text: string) =>
  /^(?!0000)\d{4}-\d{2}-\d{2}$/u.test(text) &&
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (day) => DateTime.formatIsoDateUtc(day) === text)

const expectedMessages = {
  text: "Expected a text",
  number: "Expected a number",
  boolean: "Expected true or false",
  date: "Expected a date such as 2026-03-01"
} as const

/** Returns the problem of the value for this field; `null` for a valid value. */
export const attributeValueIssue = ({ choices, type }: ContactField, value: unknown): string | null => {
  switch (type) {
    case "text":
      return typeof value === "string" ? null : expectedMessages.text
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? null : expectedMessages.number
    case "boolean":
      return typeof value === "boolean" ? null : expectedMessages.boolean
    case "date":
      return typeof value === "string" && isCalendarDate(value) ? null : expectedMessages.date
    case "enum":
      return typeof value === "string" && choices?.includes(value) === true
        ? null
        : `Expected one of: ${(choices ?? []).join(", ")}`
  }
}

/** Returns whether a stored value has the field's type. A removed choice stays on the contacts that have it. */
export const hasFieldType = (field: ContactField, value: AttributeValue): boolean =>
  field.type === "enum" ? typeof value === "string" : attributeValueIssue(field, value) === null

/** Parses a value that people wrote in a table cell. Returns `null` if it does not have the field's type. */
export const parseCellValue = (field: ContactField, text: string): AttributeValue | null => {
  const value =
    field.type === "number"
      ? /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(text)
        ? parseNumber(text)
        : null
      : field.type === "boolean"
        ? parseBoolean(text)
        : text
  return value !== null && attributeValueIssue(field, value) === null ? value : null
}

/** Parses a query value. Programs write queries, so each value has exactly one notation. */
export const parseQueryValue = (field: ContactField, text: string): AttributeValue | null => {
  if (field.type === "boolean") return text === "true" ? true : text === "false" ? false : null
  if (field.type === "number") return isExactNumber(text) ? Number(text) : null
  return parseCellValue(field, text)
}

/** Rejects a number whose text changes when it is parsed. */
const parseNumber = (text: string): number | null => {
  const literal = text
    .replace(/^\+/u, "")
    .replace(/^(?<sign>-?)\./u, "$<sign>0.")
    .replace(/\.(?=$|[eE])/u, "")
  return isExactNumber(literal) ? Number(literal) : null
}

const parseBoolean = (text: string): boolean | null => {
  const word = text.toLowerCase()
  if (["true", "yes", "1"].includes(word)) return true
  return ["false", "no", "0"].includes(word) ? false : null
}

/** Returns all problems of the changes: undefined keys and values of a wrong type. */
export const validateAttributes = (
  fields: ReadonlyArray<ContactField>,
  input: AttributesInput,
  pointer: string
): ReadonlyArray<ValidationIssue> =>
  Object.entries(input).flatMap(([key, value]) => {
    const field = fields.find((field) => field.key === key && field.status === "active")
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    if (field === undefined) return [{ pointer: at, message: "There is no contact field with this key" }]
    const message = value === null ? null : attributeValueIssue(field, value)
    return message === null ? [] : [{ pointer: at, message }]
  })

/** Applies the changes to the attributes. */
export const withAttributes = (before: Attributes, input: AttributesInput): Attributes => {
  const after: Record<string, AttributeValue> = { ...before }
  for (const [key, value] of Object.entries(input)) {
    if (value === null) delete after[key]
    else after[key] = value
  }
  return after
}
