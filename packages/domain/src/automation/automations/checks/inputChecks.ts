import type { Schema } from "effect"
import { findOutputTypes, type TypedVocabulary, type ValueType } from "../../../campaigns/index.ts"
import {
  validateActionInput,
  itemsOf,
  membersOf,
  type PluginSchema,
  toItemSchema,
  toMemberSchema,
  toPointerSegment,
  findAllowedTypes
} from "../../../integrations/plugins/index.ts"
import type { ValidationIssue } from "../../../kernel/index.ts"
import { hasLiquid } from "../actions/Action.ts"

/** JSON types that each value type can be coerced to. */
const forms: Readonly<Record<ValueType, ReadonlyArray<string>>> = {
  text: ["string", "number", "integer", "boolean"],
  time: ["string"],
  number: ["number", "integer", "string"],
  boolean: ["boolean", "string"],
  money: ["object", "string"],
  list: ["array"],
  object: ["object"],
  null: ["null"]
}

const typesFor = (source: string, vocabulary: TypedVocabulary): ReadonlyArray<ValueType> | null => {
  const output = findOutputTypes(source, vocabulary)
  // A text with several outputs is always a text.
  if (output === null) return []
  return output.types === null ? null : Array.from(output.types)
}

const validateRenderedText = (
  schema: PluginSchema,
  source: string,
  pointer: string,
  vocabulary: TypedVocabulary
): ReadonlyArray<ValidationIssue> => {
  const allowed = findAllowedTypes(schema)
  if (allowed === null) return []
  if (allowed.size === 0) return [{ pointer, message: "There is no property with this name" }]
  const types = typesFor(source, vocabulary)
  if (types === null) return []
  const becomes = types.length === 0 ? ["string"] : types.flatMap((type) => forms[type])
  if (becomes.some((form) => allowed.has(form))) return []
  const isA = types.length === 0 ? "a text" : types.join(" or ")
  return [{ pointer, message: `Expected the type ${Array.from(allowed).join(" or ")}, but the value is always ${isA}` }]
}

const validateRenderedParts = (
  schema: PluginSchema,
  value: Schema.Json,
  pointer: string,
  vocabulary: TypedVocabulary
): ReadonlyArray<ValidationIssue> => {
  if (typeof value === "string") return hasLiquid(value) ? validateRenderedText(schema, value, pointer, vocabulary) : []
  const items = itemsOf(value)
  if (items !== null) {
    return items.flatMap((each, index) =>
      validateRenderedParts(toItemSchema(schema, index), each, pointer + toPointerSegment(index), vocabulary)
    )
  }
  return Object.entries(membersOf(value) ?? {}).flatMap(([name, each]) =>
    validateRenderedParts(toMemberSchema(schema, name), each, pointer + toPointerSegment(name), vocabulary)
  )
}

const valueAt = (input: Schema.Json, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
      input
    )

/** Validates an input with Liquid against a schema: fixed parts must fit, and rendered parts need a compatible type. */
export const validateRenderedInput = (
  schema: PluginSchema,
  input: Schema.Json,
  pointer: string,
  vocabulary: TypedVocabulary
): ReadonlyArray<ValidationIssue> => [
  ...validateActionInput(schema, input, "").flatMap(({ message, pointer: at }) => {
    const isMade = hasLiquid(JSON.stringify(valueAt(input, at)) ?? "")
    return isMade ? [] : [{ pointer: pointer + at, message }]
  }),
  ...validateRenderedParts(schema, input, pointer, vocabulary)
]
