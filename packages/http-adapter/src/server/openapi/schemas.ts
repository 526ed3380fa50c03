import { shownWithKeyword } from "@parley/domain/kernel"
import { type JsonSchema, Predicate } from "effect"

type Json = JsonSchema.JsonSchema

const simple: ReadonlySet<string> = new Set([
  "default",
  "description",
  "examples",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "maximum",
  "maxItems",
  "maxLength",
  "minimum",
  "minItems",
  "minLength",
  "multipleOf",
  "pattern",
  "title",
  "uniqueItems",
  shownWithKeyword
])

const isJson = (value: unknown): value is Json => Predicate.isObject(value)

const fitsInto = (whole: Json, part: unknown): part is Json =>
  isJson(part) && Object.keys(part).every((keyword) => simple.has(keyword) && !(keyword in whole))

/** One schema in place of a schema and plain additions to it. The last description is the one of the field. */
const withoutAllOf = (schema: Json): Json => {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || "$ref" in own) return schema
  const description: unknown = allOf.findLast((part) => isJson(part) && "description" in part)?.description
  const whole: Json = { ...own, ...(description !== undefined && { description }) }
  const rest: Array<unknown> = []
  for (const each of allOf) {
    const { description: _, ...part } = isJson(each) ? each : {}
    if (Object.keys(part).length === 0) continue
    if (rest.length === 0 && fitsInto(whole, part)) Object.assign(whole, part)
    else rest.push(part)
  }
  return rest.length === 0 ? whole : { ...whole, allOf: rest }
}

/** A choice of one is no choice. */
const withoutLoneAnyOf = (schema: Json): Json => {
  const { anyOf, ...own } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 1 || !isJson(anyOf[0])) return schema
  return Object.keys(own).some((keyword) => keyword in anyOf[0]) ? schema : { ...anyOf[0], ...own }
}

/** Every JSON reader has the bounds of a safe integer; saying so at each of them hides the bounds that mean something. */
const withoutSafeBounds = (schema: Json): Json => {
  const { maximum, minimum, ...rest } = schema
  if (schema.type !== "integer") return schema
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum })
  }
}

type Rename = (name: string) => string

const componentSchemas = "#/components/schemas/"

const renamed = (schema: Json, rename: Rename): Json =>
  typeof schema.$ref === "string" && schema.$ref.startsWith(componentSchemas)
    ? { ...schema, $ref: componentSchemas + rename(schema.$ref.slice(componentSchemas.length)) }
    : schema

/** Simplifies a schema, and references components by their new names. */
export const tidy = (schema: Json, rename: Rename): Json => {
  const inner = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(inner) : isJson(value) ? tidy(value, rename) : value
  const parts = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, inner(value)]))
  return withoutSafeBounds(withoutAllOf(withoutLoneAnyOf(renamed(parts, rename))))
}

/** The names of components as readers and generated clients know them: `Member`, not `MemberEncoded`. */
export const plainNames = (names: ReadonlyArray<string>): Rename => {
  const taken = new Set(names)
  return (name) => {
    const plain = name.replace(/Encoded$/, "")
    return taken.has(plain) ? name : plain
  }
}
