import type { JsonSchema, Schema } from "effect"

type Node = JsonSchema.JsonSchema

/** Example values by field name, for fields with an unspecific schema. */
const byName: Readonly<Record<string, Schema.Json>> = {
  currency: "EUR",
  date: "2026-11-20",
  amountMinor: 1_999,
  fields: ["name"],
  kind: "contacts.import",
  month: "2026-11"
}

const moment = "2026-11-20T09:30:00.000Z"

/** Returns an example id. Ids of one name are equal in all examples, and sort like real ids. */
const uuidFor = (name: string): string => {
  const hash = Array.from(name).reduce((sum, char) => Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0, 7)
  const digits = hash.toString(16).padStart(8, "0")
  return `01934b80-${digits.slice(0, 4)}-7${digits.slice(4, 7)}-8${digits.slice(5, 8)}-${digits}${digits.slice(0, 4)}`
}

const flattenAllOf = (node: Node): ReadonlyArray<Node> => [
  node,
  ...(Array.isArray(node["allOf"]) ? (node["allOf"] as ReadonlyArray<Node>).flatMap(flattenAllOf) : [])
]

const findKeyword = (node: Node, key: string): unknown =>
  flattenAllOf(node).find((part) => part[key] !== undefined)?.[key]

const textFor = (node: Node, name: string): string => {
  const format = findKeyword(node, "format")
  if (format === "uuid") return uuidFor(name)
  if (format === "date-time") return moment
  const known = byName[name]
  return typeof known === "string" ? known : "example"
}

/** Builds an example of a JSON Schema: the first of several values, or the second for a field named `to`. */
export const exampleOf = (node: Node, definitions: Readonly<Record<string, Node>>, name = ""): Schema.Json => {
  const reference = node["$ref"]
  if (typeof reference === "string") {
    const target = definitions[reference.slice("#/$defs/".length)]
    return target === undefined ? null : exampleOf(target, definitions, name)
  }
  const values = findKeyword(node, "enum") as ReadonlyArray<Schema.Json> | undefined
  if (values !== undefined) return (name === "to" ? (values[1] ?? values[0]) : values[0]) ?? null
  const choices = findKeyword(node, "anyOf") as ReadonlyArray<Node> | undefined
  if (choices !== undefined) return choices[0] === undefined ? null : exampleOf(choices[0], definitions, name)
  const known = byName[name]
  switch (findKeyword(node, "type")) {
    case "object":
      return Object.fromEntries(
        Object.entries((node["properties"] ?? {}) as Readonly<Record<string, Node>>).map(([key, of]) => [
          key,
          exampleOf(of, definitions, key)
        ])
      )
    case "array":
      return Array.isArray(known)
        ? known
        : [exampleOf((node["items"] ?? {}) as Node, definitions, name.replace(/s$/u, ""))]
    case "integer":
    case "number":
      return typeof known === "number" ? known : 1
    case "boolean":
      return false
    case "string":
      return textFor(node, name)
    default:
      return null
  }
}
