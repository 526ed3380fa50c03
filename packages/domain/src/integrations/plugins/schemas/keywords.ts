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
