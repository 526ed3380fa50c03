import type { Schema } from "effect"
import type { ValidationIssue } from "../../../kernel/index.ts"
import {
  itemsOf,
  keywords,
  type KeywordShape,
  membersOf,
  maxSchemaDepth,
  type PluginSchema,
  secretKeyword,
  toPointerSegment,
  typeNames
} from "./PluginSchema.ts"

const dialect = "https://json-schema.org/draft/2020-12/schema"

const isText = (value: Schema.Json) => typeof value === "string"

const isCount = (value: Schema.Json) => Number.isSafeInteger(value) && Number(value) >= 0

/** Duplicate items would be evaluated repeatedly for every value. */
const areUnique = (values: ReadonlyArray<Schema.Json>) => new Set(values).size === values.length

const isTextList = (value: Schema.Json) => {
  const texts = itemsOf(value)
  return texts !== null && texts.every(isText) && areUnique(texts)
}

const isTypeList = (value: Schema.Json) => {
  const names = itemsOf(value) ?? [value]
  return names.length > 0 && names.every((name) => typeof name === "string" && typeNames.has(name)) && areUnique(names)
}

/** Returns the expectation of a keyword whose value is no schema; `null` if the value meets it. */
const keywordIssue = (shape: KeywordShape, value: Schema.Json): string | null => {
  switch (shape) {
    case "boolean":
      return typeof value === "boolean" ? null : "Expected true or false"
    case "count":
      return isCount(value) ? null : "Expected a whole number from 0 on"
    case "list":
      return itemsOf(value) === null ? "Expected a list" : null
    case "number":
      return typeof value === "number" ? null : "Expected a number"
    case "positive":
      return typeof value === "number" && value > 0 ? null : "Expected a number above 0"
    case "text":
      return isText(value) ? null : "Expected a text"
    case "texts":
      return isTextList(value) ? null : "Expected a list of names, each once"
    case "textsByName":
      return Object.values(membersOf(value) ?? { value: null }).every(isTextList)
        ? null
        : "Expected lists of names, each once in its list"
    case "types":
      return isTypeList(value) ? null : `Expected one or some of ${Array.from(typeNames).join(", ")}, each once`
    default:
      return null
  }
}

type Walk = (schema: Schema.Json, pointer: string, level: number) => ReadonlyArray<ValidationIssue>

const validateSubschemas = (walk: Walk, shape: KeywordShape, value: Schema.Json, pointer: string, level: number) => {
  if (shape === "schema") return walk(value, pointer, level + 1)
  if (shape === "schemas") {
    const list = itemsOf(value)
    if (list === null || list.length === 0) return [{ pointer, message: "Expected a list of schemas" }]
    return list.flatMap((each, index) => walk(each, pointer + toPointerSegment(index), level + 1))
  }
  if (shape === "schemasByName") {
    const byName = membersOf(value)
    if (byName === null) return [{ pointer, message: "Expected schemas by their names" }]
    return Object.entries(byName).flatMap(([name, each]) => walk(each, pointer + toPointerSegment(name), level + 1))
  }
  const message = keywordIssue(shape, value)
  return message === null ? [] : [{ pointer, message }]
}

const unknownKeywordIssue = (name: string): string => {
  if (name.startsWith("$")) return "Expected a schema without references"
  if (name === "pattern" || name === "patternProperties") return "Expected a schema without patterns"
  return "This keyword is not supported"
}

/**
 * Returns all errors of a schema. The secret keyword is valid only on text properties of the outermost schema, because these are sealed
 * individually.
 */
export const validatePluginSchema = (
  schema: PluginSchema,
  pointer: string,
  { secrets }: { readonly secrets: boolean }
): ReadonlyArray<ValidationIssue> => {
  const mayBeSecret = (at: string) =>
    secrets && at.startsWith(`${pointer}/properties/`) && !at.slice(pointer.length + 12).includes("/")
  const faultsOfSecret = (each: Readonly<Record<string, Schema.Json>>, at: string): ReadonlyArray<ValidationIssue> => {
    const value = each[secretKeyword]
    if (value === undefined) return []
    if (typeof value !== "boolean")
      return [{ pointer: at + toPointerSegment(secretKeyword), message: "Expected true or false" }]
    return mayBeSecret(at) && each["type"] === "string"
      ? []
      : [{ pointer: at + toPointerSegment(secretKeyword), message: "Only a setting of the type string can be secret" }]
  }
  const walk: Walk = (each, at, level) => {
    if (typeof each === "boolean") return []
    const members = membersOf(each)
    if (members === null) return [{ pointer: at, message: "Expected a schema" }]
    if (level > maxSchemaDepth) {
      return [{ pointer: at, message: `Expected at most ${maxSchemaDepth} nested schemas` }]
    }
    const input = Object.entries(members).filter(([name]) => name !== secretKeyword)
    return [
      ...faultsOfSecret(members, at),
      ...input.flatMap(([name, value]): ReadonlyArray<ValidationIssue> => {
        const shape = keywords.get(name)
        const place = at + toPointerSegment(name)
        if (shape === undefined) return [{ pointer: place, message: unknownKeywordIssue(name) }]
        if (name === "$schema" && value !== dialect) return [{ pointer: place, message: `Expected ${dialect}` }]
        return validateSubschemas(walk, shape, value, place, level)
      })
    ]
  }
  const members = membersOf(schema)
  if (members === null || members["type"] !== "object") {
    return [{ pointer, message: 'Expected a schema with "type": "object"' }]
  }
  return walk(schema, pointer, 1)
}
