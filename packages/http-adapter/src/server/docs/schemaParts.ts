import { type JsonSchema, Predicate } from "effect"
import { type Document, isRef } from "../../api/describe.ts"
import { resolveIn } from "./contract.ts"

/** JSON Schema of the contract. */
export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json => Predicate.isObject(value)

const membersOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJson) : [])

const isNull = (schema: Json) => schema["type"] === "null"

/** Resolves a schema, with the parts of its `allOf`. */
export const wholeOf = (document: Document, schema: Json): Json => {
  const resolved: Json = resolveIn(document)<JsonSchema.JsonSchema>(schema as JsonSchema.JsonSchema)
  const parts = membersOf(resolved["allOf"]).map((part) => wholeOf(document, part))
  const properties: Json = Object.assign({}, ...[...parts, resolved].map((part) => part["properties"]))
  return {
    ...Object.assign({}, ...parts),
    ...resolved,
    ...(Predicate.isString(schema["description"]) && { description: schema["description"] }),
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [...parts, resolved].flatMap(({ required }) => (Array.isArray(required) ? required : []))
  }
}

/** Name of the shared schema that this schema only refers to, with at most a description. */
export const nameOf = (schema: Json): string | null => {
  if (isRef(schema)) return schema.$ref.split("/").at(-1) ?? null
  const [only, ...others] = membersOf(schema["allOf"])
  return only === undefined || others.length > 0 || schema["properties"] !== undefined ? null : nameOf(only)
}

/** Lists the members of a union, `null` included. An unnamed union inside of it is part of the list. */
export const variantsOf = (document: Document, schema: Json): ReadonlyArray<Json> => {
  const whole = wholeOf(document, schema)
  return [...membersOf(whole["anyOf"]), ...membersOf(whole["oneOf"])].flatMap((variant) => {
    const inner = nameOf(variant) === null ? variantsOf(document, variant) : []
    return inner.length === 0 ? [variant] : inner
  })
}

/** Lists the members of a union without `null`. */
export const valuesOf = (document: Document, schema: Json): ReadonlyArray<Json> =>
  variantsOf(document, schema).filter((variant) => !isNull(variant))

/** Schema of the items of a list, `null` for other schemas. */
export const itemsOf = (whole: Json): Json | null => (isJson(whole["items"]) ? whole["items"] : null)

/** Lists the fields of an object. */
export const propertiesOf = (whole: Json): ReadonlyArray<readonly [string, Json]> =>
  isJson(whole["properties"])
    ? Object.entries(whole["properties"]).flatMap(([name, field]) => (isJson(field) ? [[name, field] as const] : []))
    : []

/** Lists the schemas directly inside a schema. */
const partsOf = (schema: Json): ReadonlyArray<Json> => [
  ...["anyOf", "oneOf", "allOf"].flatMap((keyword) => membersOf(schema[keyword])),
  ...(itemsOf(schema) === null ? [] : [itemsOf(schema) as Json]),
  ...propertiesOf(schema).map(([, field]) => field)
]

/** Whether a schema is an object with fields, or has one in its list or union. */
export const hasFields = (document: Document, schema: Json, outer: ReadonlyArray<string> = []): boolean => {
  const name = nameOf(schema)
  if (name !== null && outer.includes(name)) return false
  const inside = name === null ? outer : [...outer, name]
  const whole = wholeOf(document, schema)
  const items = itemsOf(whole)
  return (
    propertiesOf(whole).length > 0 ||
    (items !== null && hasFields(document, items, inside)) ||
    valuesOf(document, whole).some((variant) => hasFields(document, variant, inside))
  )
}

/** Names of the schemas with fields that the given schemas contain in more than one place, in the order of their first place. */
export const sharedIn = (document: Document, schemas: ReadonlyArray<Json>): ReadonlyArray<string> => {
  const places = new Map<string, number>()
  const visit = (schema: Json): void => {
    const name = nameOf(schema)
    if (name === null) return partsOf(schema).forEach(visit)
    const count = places.get(name) ?? 0
    places.set(name, count + 1)
    if (count === 0) partsOf(document.components.schemas[name] ?? {}).forEach(visit)
  }
  schemas.forEach(visit)
  return Array.from(places).flatMap(([name, count]) =>
    count > 1 && hasFields(document, document.components.schemas[name] ?? {}) ? [name] : []
  )
}
