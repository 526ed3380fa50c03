import { variantsOf } from "./openapi.js"

/**
 * @typedef {import("./openapi.js").Schema} Schema
 * @typedef {{ name: string, required: boolean, shape: Shape }} Field
 * @typedef {object} Shape
 * @property {string} type what a reader calls it
 * @property {boolean} nullable
 * @property {string} description
 * @property {ReadonlyArray<string>} rules
 * @property {ReadonlyArray<string>} values
 * @property {ReadonlyArray<Field>} fields
 * @property {ReadonlyArray<{ label: string, shape: Shape }>} variants
 * @property {Schema} schema
 */

/**
 * One schema that says what a schema and everything in its `allOf` say together.
 *
 * @param {Schema} schema
 * @param {(schema: Schema) => Schema} resolve
 * @returns {Schema}
 */
export const merged = (schema, resolve) => {
  const whole = resolve(schema)
  if (!Array.isArray(whole.allOf)) return whole
  const { allOf, ...own } = whole
  /** @type {ReadonlyArray<Schema>} */
  const parts = [own, ...allOf.map((/** @type {Schema} */ part) => merged(part, resolve))]
  const properties = parts.flatMap((part) => Object.entries(part.properties ?? {}))
  const required = parts.flatMap((part) => part.required ?? [])
  return {
    ...Object.fromEntries(parts.toReversed().flatMap((part) => Object.entries(part))),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required })
  }
}

/** @param {Schema} schema */
const isNull = (schema) =>
  schema.type === "null" || schema.const === null || (schema.enum?.length === 1 && schema.enum[0] === null)

/**
 * The schema without its null, and whether it had one.
 *
 * @param {Schema} schema
 * @param {(schema: Schema) => Schema} resolve
 */
export const withoutNull = (schema, resolve) => {
  const whole = merged(schema, resolve)
  if (Array.isArray(whole.type)) {
    const types = whole.type.filter((/** @type {string} */ type) => type !== "null")
    return {
      nullable: types.length < whole.type.length,
      schemas: types.length === 0 ? [{ type: "null" }] : types.map((/** @type {string} */ type) => ({ ...whole, type }))
    }
  }
  if (Array.isArray(whole.enum) && whole.enum.length > 1 && whole.enum.includes(null)) {
    const values = whole.enum.filter((/** @type {unknown} */ value) => value !== null)
    return { nullable: true, schemas: [{ ...whole, enum: values }] }
  }
  const variants = variantsOf(whole, resolve).map((variant) => merged(variant, resolve))
  const { anyOf: _anyOf, oneOf: _oneOf, ...beside } = whole
  const rest = variants.filter((variant) => !isNull(variant))
  if (rest.length === 0) return { nullable: false, schemas: [{ type: "null" }] }
  const isUnion = whole.anyOf !== undefined || whole.oneOf !== undefined
  return {
    nullable: rest.length < variants.length,
    schemas: rest.length === 1 && isUnion ? [{ ...rest[0], ...beside }] : rest
  }
}

/** @type {Record<string, string>} */
const formats = {
  date: "date",
  "date-time": "timestamp",
  email: "e-mail address",
  uuid: "UUID",
  uri: "URL",
  binary: "bytes"
}

const largestInteger = Number.MAX_SAFE_INTEGER

/** @param {number} value */
const grouped = (value) => new Intl.NumberFormat("en").format(value)

/**
 * @param {number} value
 * @param {string} unit
 */
const counted = (value, unit) => {
  if (unit === "") return grouped(value)
  return `${grouped(value)} ${value === 1 ? unit : `${unit}s`}`
}

/**
 * @param {number | undefined} least
 * @param {number | undefined} most
 * @param {string} unit
 */
const range = (least, most, unit) => {
  const from = least === undefined || least <= -largestInteger ? undefined : least
  const to = most === undefined || most >= largestInteger ? undefined : most
  if (from !== undefined && to !== undefined) {
    return [from === to ? `exactly ${counted(to, unit)}` : `${grouped(from)} to ${counted(to, unit)}`]
  }
  if (from !== undefined) return from === 0 && unit !== "" ? [] : [`at least ${counted(from, unit)}`]
  return to === undefined ? [] : [`at most ${counted(to, unit)}`]
}

/** @param {Schema} schema */
const rulesOf = (schema) => [
  ...range(schema.minimum, schema.maximum, ""),
  ...(schema.exclusiveMinimum === undefined ? [] : [`more than ${grouped(schema.exclusiveMinimum)}`]),
  ...(schema.exclusiveMaximum === undefined ? [] : [`less than ${grouped(schema.exclusiveMaximum)}`]),
  ...range(schema.minLength, schema.maxLength, "character"),
  ...range(schema.minItems, schema.maxItems, "item"),
  ...(schema.uniqueItems === true ? ["no item twice"] : []),
  ...(schema.multipleOf === undefined ? [] : [`a multiple of ${schema.multipleOf}`]),
  ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`])
]

/** @param {Schema} schema */
const valuesOf = (schema) => {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  return values.map((/** @type {unknown} */ value) => JSON.stringify(value))
}

/** @param {Schema} schema */
const scalarType = (schema) => {
  if (schema.format !== undefined && formats[schema.format] !== undefined) return formats[schema.format] ?? "string"
  if (schema.type !== undefined) return String(schema.type)
  const [value] = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  return value === undefined ? "any value" : typeof value
}

/**
 * Which schema this one is, where it is one that has a name and nothing was added but words.
 *
 * @param {Schema} schema
 * @returns {string | undefined}
 */
const refOf = ({ $ref, allOf, properties }) => {
  if ($ref !== undefined) return $ref
  if (!Array.isArray(allOf) || properties !== undefined) return undefined
  const [ref, ...others] = allOf.map(refOf).filter((/** @type {string | undefined} */ one) => one !== undefined)
  return others.length === 0 && allOf.every((part) => part.properties === undefined) ? ref : undefined
}

/** @param {Schema} schema */
const nameOf = (schema) => String(refOf(schema)).split("/").at(-1)

/**
 * What tells one variant of a union from another: its type in the fewest words.
 *
 * @param {Schema} schema
 * @param {Shape} shape
 * @param {(schema: Schema) => Schema} resolve
 */
const labelOf = (schema, shape, resolve) => {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const [value, ...others] = valuesOf(merged(property, resolve))
    if (value !== undefined && others.length === 0) return `${name}: ${value}`
  }
  return schema.title ?? shape.type
}

/** @param {string} type */
const listOf = (type) => {
  if (type.endsWith(", again")) return `list of ${type}`
  if (type === "one of") return "list, each one of"
  if (type.startsWith("list")) return type.replace("list", "list of lists")
  return `list of ${type.endsWith("s") ? `${type}es` : `${type}s`}`
}

/**
 * What a schema says, as a reader wants to know it.
 *
 * @param {Schema} schema
 * @param {(schema: Schema) => Schema} resolve
 * @param {ReadonlyArray<Schema>} [outer] the schemas that this one is part of, which end a schema that contains itself
 * @returns {Shape}
 */
export const shapeOf = (schema, resolve, outer = []) => {
  const { nullable, schemas } = withoutNull(schema, resolve)
  const whole = schemas[0] ?? {}
  const description = merged(schema, resolve).description ?? whole.description ?? ""
  const inside = [...outer, schema]
  const ref = refOf(schema)
  const isRecursive = ref !== undefined && outer.some((one) => refOf(one) === ref)
  const plain = {
    nullable,
    description,
    rules: rulesOf(whole),
    values: valuesOf(whole),
    fields: [],
    variants: [],
    schema: whole
  }
  if (isRecursive) return { ...plain, type: `${nameOf(schema)}, again`, rules: [], values: [] }
  if (schemas.length > 1) {
    const variants = schemas.map((/** @type {Schema} */ variant) => {
      const shape = shapeOf(variant, resolve, inside)
      return { label: labelOf(variant, shape, resolve), shape }
    })
    const isSimple = variants.every(({ shape }) => shape.fields.length === 0 && shape.variants.length === 0)
    return isSimple
      ? {
          ...plain,
          type: [...new Set(variants.map(({ shape }) => shape.type))].join(" or "),
          rules: variants.flatMap(({ shape }) => shape.rules),
          values: variants.flatMap(({ shape }) => shape.values)
        }
      : { ...plain, type: "one of", rules: [], values: [], variants }
  }
  if (whole.type === "array" || whole.items !== undefined || whole.prefixItems !== undefined) {
    const items = whole.items === undefined || whole.items === false ? (whole.prefixItems?.[0] ?? {}) : whole.items
    const item = shapeOf(items, resolve, inside)
    return {
      ...plain,
      type: listOf(item.type),
      rules: [...plain.rules, ...item.rules.map((rule) => `each ${rule}`)],
      values: item.values,
      fields: item.fields,
      variants: item.variants
    }
  }
  if (whole.properties !== undefined) {
    const required = new Set(whole.required ?? [])
    const fields = Object.entries(whole.properties).map(([name, property]) => ({
      name,
      required: required.has(name),
      shape: shapeOf(property, resolve, inside)
    }))
    return { ...plain, type: "object", fields }
  }
  if (whole.type === "object") {
    const values = whole.additionalProperties ?? Object.values(whole.patternProperties ?? {})[0]
    if (typeof values !== "object") return { ...plain, type: "object" }
    const item = shapeOf(values, resolve, inside)
    const key = { name: "any name", required: false, shape: item }
    return {
      ...plain,
      type: listOf(item.type).replace("list", "map"),
      fields: item.fields.length > 0 ? [key] : [],
      values: item.values
    }
  }
  return { ...plain, type: scalarType(whole) }
}
