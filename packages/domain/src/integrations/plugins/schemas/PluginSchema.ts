import type { Schema } from "effect"

/** JSON Schema 2020-12 for plugins: without references, patterns and more than five levels. It can be `true` or `false`. */
export type PluginSchema = Schema.Json

/** Maximum nesting of schemas. */
export const maxSchemaDepth = 5

/** Keyword of a setting that is sealed and never shown. */
export const secretKeyword = "x-parley-secret"

/** Returns the members of a JSON object; `null` for other values. */
export const membersOf = (value: Schema.Json | undefined): Readonly<Record<string, Schema.Json>> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Schema.Json>>)
    : null

/** Returns the items of a JSON array; `null` for other values. */
export const itemsOf = (value: Schema.Json | undefined): ReadonlyArray<Schema.Json> | null =>
  Array.isArray(value) ? (value as ReadonlyArray<Schema.Json>) : null

/** Escapes one segment of a JSON pointer. */
export const toPointerSegment = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

export const secretNames = (schema: PluginSchema): ReadonlyArray<string> =>
  Object.entries(membersOf(membersOf(schema)?.["properties"]) ?? {})
    .filter(([, each]) => membersOf(each)?.[secretKeyword] === true)
    .map(([name]) => name)

/** Required form of a keyword's value. */
export type KeywordShape =
  | "any"
  | "boolean"
  | "count"
  | "list"
  | "number"
  | "positive"
  | "schema"
  | "schemas"
  | "schemasByName"
  | "text"
  | "texts"
  | "textsByName"
  | "types"

/** Supported keywords. Other keywords are rejected, because value validation would ignore them silently. */
export const keywords: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ["$schema", "text"],
  ["$comment", "text"],
  ["title", "text"],
  ["description", "text"],
  ["default", "any"],
  ["examples", "list"],
  ["deprecated", "boolean"],
  ["readOnly", "boolean"],
  ["writeOnly", "boolean"],
  ["format", "text"],
  ["contentEncoding", "text"],
  ["contentMediaType", "text"],
  ["type", "types"],
  ["enum", "list"],
  ["const", "any"],
  ["multipleOf", "positive"],
  ["maximum", "number"],
  ["exclusiveMaximum", "number"],
  ["minimum", "number"],
  ["exclusiveMinimum", "number"],
  ["maxLength", "count"],
  ["minLength", "count"],
  ["maxItems", "count"],
  ["minItems", "count"],
  ["uniqueItems", "boolean"],
  ["maxContains", "count"],
  ["minContains", "count"],
  ["maxProperties", "count"],
  ["minProperties", "count"],
  ["required", "texts"],
  ["dependentRequired", "textsByName"],
  ["properties", "schemasByName"],
  ["dependentSchemas", "schemasByName"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["items", "schema"],
  ["contains", "schema"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["prefixItems", "schemas"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"]
])

export const typeNames: ReadonlySet<string> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string"
])
