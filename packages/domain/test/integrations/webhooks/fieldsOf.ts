import type { JsonSchema } from "effect"

type Node = JsonSchema.JsonSchema

const partsOf = (node: Node): ReadonlyArray<Node> => [
  node,
  ...["allOf", "anyOf"].flatMap((key) =>
    Array.isArray(node[key]) ? (node[key] as ReadonlyArray<Node>).flatMap(partsOf) : []
  )
]

/** Every field of a schema with path and type: `amount.currency:string`. */
export const fieldsOf = (node: Node, definitions: Readonly<Record<string, Node>>, path = ""): ReadonlyArray<string> => {
  const parts = partsOf(node).flatMap((part) => {
    const target = definitions[String(part["$ref"]).replace("#/$defs/", "")]
    return target === undefined ? [part] : partsOf(target)
  })
  const kinds = parts.flatMap(({ format, type }) => (typeof type === "string" ? [String(format ?? type)] : []))
  const inner = parts.flatMap(({ items, properties }) => [
    ...(items === undefined ? [] : fieldsOf(items as Node, definitions, `${path}[]`)),
    ...Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(([name, field]) =>
      fieldsOf(field, definitions, path === "" ? name : `${path}.${name}`)
    )
  ])
  const own = path === "" ? [] : [`${path}:${Array.from(new Set(kinds)).toSorted().join("|")}`]
  return Array.from(new Set([...own, ...inner]))
}
