import { Predicate } from "effect"
import type { Document } from "../../api/describe.ts"
import {
  hasFields,
  isJson,
  itemsOf,
  type Json,
  nameOf,
  propertiesOf,
  valuesOf,
  variantsOf,
  wholeOf
} from "./schemaParts.ts"

/** Contract of a page, with the schemas that the page describes in a separate section. */
export interface Schemas {
  readonly document: Document
  readonly shared: ReadonlySet<string>
  /** Levels of fields below a field, `null` for all. */
  readonly depth: number | null
}

/** Writes a text of the contract in one line. */
export const oneLine = (text: unknown): string => (Predicate.isString(text) ? text.replaceAll(/\s+/g, " ").trim() : "")

const indent = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)

const unionOf = (types: ReadonlyArray<string>) => Array.from(new Set(types)).join(" or ")

const sharedName = ({ shared }: Schemas, schema: Json) => {
  const name = nameOf(schema)
  return name !== null && shared.has(name) ? name : null
}

const linkTo = (name: string) => `[${name}](#${name.toLowerCase()})`

/** Describes a type in a few words: `list of string`, `"open" or "closed"`. */
export const typeOf = (schemas: Schemas, schema: Json, depth = 0): string => {
  const name = sharedName(schemas, schema)
  if (name !== null) return linkTo(name)
  const whole = wholeOf(schemas.document, schema)
  const variants = variantsOf(schemas.document, whole)
  const items = itemsOf(whole)
  if (depth > 4) return "object"
  if (variants.length > 0) return unionOf(variants.map((variant) => typeOf(schemas, variant, depth + 1)))
  if (Array.isArray(whole["enum"])) return unionOf(whole["enum"].map((value) => JSON.stringify(value)))
  if (items !== null) return `list of ${typeOf(schemas, items, depth + 1)}`
  if (isJson(whole["properties"])) return "object"
  const type = Array.isArray(whole["type"]) ? whole["type"].join(" or ") : (whole["type"] ?? "any value")
  return Predicate.isString(whole["format"]) ? `${String(type)} (${whole["format"]})` : String(type)
}

const onlyValueOf = (document: Document, field: Json) => {
  const values = wholeOf(document, field)["enum"]
  return Array.isArray(values) && values.length === 1 ? JSON.stringify(values[0]) : null
}

/** Field whose value names the variant. */
const discriminatorOf = (document: Document, variants: ReadonlyArray<Json>): string | null => {
  const [first, ...others] = variants.map((variant) =>
    propertiesOf(wholeOf(document, variant)).flatMap(([name, field]) =>
      onlyValueOf(document, field) === null ? [] : [name]
    )
  )
  return first?.find((name) => others.every((names) => names.includes(name))) ?? null
}

const listed = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``).join(" and ")

/** Names a variant: by the value of its discriminator, or by its required fields. */
const labelOf = (schemas: Schemas, variant: Json, discriminator: string | null) => {
  if (sharedName(schemas, variant) !== null) return typeOf(schemas, variant)
  const whole = wholeOf(schemas.document, variant)
  const field = propertiesOf(whole).find(([name]) => name === discriminator)?.[1]
  if (field !== undefined) return `\`${discriminator}\` ${onlyValueOf(schemas.document, field)}`
  const required = Array.isArray(whole["required"]) ? whole["required"].map(String) : []
  if (propertiesOf(whole).length > 0 && required.length > 0) return `object with ${listed(required)}`
  return typeOf(schemas, variant)
}

/** Starts the list of variants, with the description of their discriminator if they share it. */
const oneOf = ({ document }: Schemas, variants: ReadonlyArray<Json>, discriminator: string | null) => {
  const [description, ...others] = new Set(
    variants.flatMap((variant) =>
      propertiesOf(wholeOf(document, variant)).flatMap(([name, field]) =>
        name === discriminator ? [oneLine(wholeOf(document, field)["description"])] : []
      )
    )
  )
  if (description === undefined || description === "" || others.length > 0) return "One of:"
  return `\`${discriminator}\` (required): ${description} One of:`
}

const variantLines = (schemas: Schemas, variants: ReadonlyArray<Json>, level: number): ReadonlyArray<string> => {
  const discriminator = discriminatorOf(schemas.document, variants)
  return [
    oneOf(schemas, variants, discriminator),
    ...variants.flatMap((variant) => {
      const inner = sharedName(schemas, variant) === null ? linesOf(schemas, variant, level, discriminator) : []
      return [`- ${labelOf(schemas, variant, discriminator)}`, ...indent(inner)]
    })
  ]
}

/** Describes the inside of a schema, at a level of fields: its fields, or `One of:` with the variants of a union. */
export const linesOf = (
  schemas: Schemas,
  schema: Json,
  level: number,
  without: string | null = null
): ReadonlyArray<string> => {
  if (schemas.depth !== null && level > schemas.depth) return []
  const whole = wholeOf(schemas.document, schema)
  const variants = valuesOf(schemas.document, whole)
  const inner = variants.length === 1 ? (variants[0] ?? null) : itemsOf(whole)
  if (inner !== null) return sharedName(schemas, inner) === null ? linesOf(schemas, inner, level) : []
  if (variants.some((variant) => sharedName(schemas, variant) === null && hasFields(schemas.document, variant))) {
    return variantLines(schemas, variants, level)
  }
  const required = Array.isArray(whole["required"]) ? whole["required"] : []
  return propertiesOf(whole).flatMap(([name, field]) => {
    if (name === without) return []
    const facts = [typeOf(schemas, field), ...(required.includes(name) ? ["required"] : [])].join(", ")
    const description = oneLine(wholeOf(schemas.document, field)["description"])
    const below = sharedName(schemas, field) === null ? linesOf(schemas, field, level + 1) : []
    return [`- \`${name}\` (${facts})${description === "" ? "" : `: ${description}`}`, ...indent(below)]
  })
}
