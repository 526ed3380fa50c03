import type { Schema } from "effect"

/** JSON Schema 2020-12 as plugins may use it: without references, patterns and more than five levels. It may be `true` or `false`, too. */
export type PluginSchema = Schema.Json

/** How many schemas may stand in each other. */
export const maxSchemaDepth = 5

/** The keyword that has a setting sealed and never shown. */
export const secretKeyword = "x-parley-secret"

/** The members of a JSON object; `null` for anything else. */
export const membersOf = (value: Schema.Json | undefined): Readonly<Record<string, Schema.Json>> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Schema.Json>>)
    : null

/** The items of a JSON array; `null` for anything else. */
export const itemsOf = (value: Schema.Json | undefined): ReadonlyArray<Schema.Json> | null =>
  Array.isArray(value) ? (value as ReadonlyArray<Schema.Json>) : null

/** One step of a JSON pointer. */
export const toPointerSegment = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The names of the settings that are secret. */
export const secretNames = (schema: PluginSchema): ReadonlyArray<string> =>
  Object.entries(membersOf(membersOf(schema)?.["properties"]) ?? {})
    .filter(([, each]) => membersOf(each)?.[secretKeyword] === true)
    .map(([name]) => name)

/** What the value of a keyword has to be. */
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

/** Every keyword that is understood. Whatever else there is would be passed over in silence by whoever checks values, so it is refused. */
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

/** The types of JSON Schema. */
export const typeNames: ReadonlySet<string> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string"
])
