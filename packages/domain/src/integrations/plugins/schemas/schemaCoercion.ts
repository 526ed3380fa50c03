import type { Schema } from "effect"
import { itemsOf, membersOf, type PluginSchema, typeNames } from "./PluginSchema.ts"
import { validateSchemaValue } from "./valueValidation.ts"

/** Combines schemas with allOf. */
const combineSchemas = (schemas: ReadonlyArray<PluginSchema>): PluginSchema => {
  const [only, ...others] = schemas
  if (only === undefined) return true
  return others.length === 0 ? only : { allOf: schemas }
}

const collectSubschemas = (
  schema: PluginSchema,
  own: (members: Readonly<Record<string, Schema.Json>>) => Schema.Json | undefined
) => {
  const collect = (each: PluginSchema): ReadonlyArray<PluginSchema> => {
    if (each === false) return [false]
    const members = membersOf(each)
    if (members === null) return []
    const found = own(members)
    return [...(found === undefined ? [] : [found]), ...(itemsOf(members["allOf"]) ?? []).flatMap(collect)]
  }
  return combineSchemas(collect(schema))
}

/** Schema of an object member, without conditional parts; `true` if there is none. */
export const toMemberSchema = (schema: PluginSchema, name: string): PluginSchema =>
  collectSubschemas(schema, ({ additionalProperties, properties }) => {
    const known = membersOf(properties) ?? {}
    return Object.hasOwn(known, name) ? known[name] : additionalProperties
  })

/** Schema of a list item, without conditional parts. */
export const toItemSchema = (schema: PluginSchema, index: number): PluginSchema =>
  collectSubschemas(schema, ({ items, prefixItems }) => itemsOf(prefixItems)?.[index] ?? items)

const typeOf = (value: Schema.Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value
}

const intersectTypes = (
  one: ReadonlySet<string> | null,
  other: ReadonlySet<string> | null
): ReadonlySet<string> | null => {
  if (one === null || other === null) return one ?? other
  // Every integer is a number.
  const fits = (type: string, of: ReadonlySet<string>) => of.has(type) || (type === "integer" && of.has("number"))
  return new Set([
    ...Array.from(one).filter((type) => fits(type, other)),
    ...Array.from(other).filter((type) => fits(type, one))
  ])
}

const unionTypes = (schemas: ReadonlyArray<PluginSchema>): ReadonlySet<string> | null => {
  const each = schemas.map(findAllowedTypes)
  return each.some((types) => types === null) ? null : new Set(each.flatMap((types) => [...(types ?? [])]))
}

/** JSON types that a schema allows; `null` for any type, empty for no value. */
export const findAllowedTypes = (schema: PluginSchema): ReadonlySet<string> | null => {
  if (schema === false) return new Set()
  const members = membersOf(schema)
  if (members === null) return null
  const { const: constant, enum: among, type } = members
  const named =
    type === undefined ? null : new Set((itemsOf(type) ?? [type]).map(String).filter((name) => typeNames.has(name)))
  const listed = itemsOf(among) ?? (constant === undefined ? null : [constant])
  const choices = [members["anyOf"], members["oneOf"]].flatMap((list) =>
    itemsOf(list) === null ? [] : [itemsOf(list) ?? []]
  )
  return [
    named,
    listed === null ? null : new Set(listed.map(typeOf)),
    ...choices.map(unionTypes),
    ...(itemsOf(members["allOf"]) ?? []).map(findAllowedTypes)
  ].reduce(intersectTypes, null)
}

/** A number in program notation. Excludes leading zeros, which phone numbers and codes use. */
const numeric = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u

const parseNumber = (text: string): ReadonlyArray<number> => {
  const number = numeric.test(text) ? Number(text) : Number.NaN
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? [number] : []
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

const parseBoolean = (text: string): ReadonlyArray<boolean> => {
  const found = Object.hasOwn(booleans, text) ? booleans[text] : undefined
  return found === undefined ? [] : [found]
}

/** Forms of a value, in order of preference. `text` is the text of a money object. */
const toCandidateForms = (value: Schema.Json, text: string | null): ReadonlyArray<Schema.Json> => {
  if (typeof value === "string") return [value, ...parseNumber(value.trim()), ...parseBoolean(value.trim())]
  if (typeof value === "number" || typeof value === "boolean") return [value, String(value)]
  return text === null ? [value] : [value, text]
}

/** Coerces a value to a schema; returns it unchanged when no form fits. */
export const coerceToSchema = (schema: PluginSchema, value: Schema.Json, text: string | null = null): Schema.Json =>
  toCandidateForms(value, text).find((form) => validateSchemaValue(schema, form, "").length === 0) ?? value
