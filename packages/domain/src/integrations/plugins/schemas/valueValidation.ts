import type { Schema } from "effect"
import { storableTextIssue, type ValidationIssue } from "../../../kernel/index.ts"
import { itemsOf, membersOf, type PluginSchema, toPointerSegment } from "./PluginSchema.ts"

/** Converts a text for storage in databases. */
export const toStorableJson = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")

/** Maximum number of reported errors of a value. */
const maxIssues = 20

/** Maximum number of schema evaluations. A schema and a value of 64 KiB each could occupy a process for minutes. */
const maxSteps = 100_000

class StepLimitExceeded extends Error {}

/** Returns equal texts for equal values, in any order of members. */
const canonical = (value: Schema.Json): string => {
  const list = itemsOf(value)
  if (list !== null) return `[${list.map(canonical).join(",")}]`
  const members = membersOf(value)
  if (members === null) return JSON.stringify(value)
  const names = Object.keys(members).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name] ?? null)}`).join(",")}}`
}

const isOfType = (value: Schema.Json, type: Schema.Json): boolean => {
  switch (type) {
    case "array":
      return Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    case "null":
      return value === null
    case "object":
      return membersOf(value) !== null
    default:
      return typeof value === type
  }
}

type SchemaObject = Readonly<Record<string, Schema.Json>>

const numberOf = (schema: SchemaObject, name: string): number | null => {
  const value = schema[name]
  return typeof value === "number" ? value : null
}

/** Returns the expected range of a number outside its limits. */
const rangeIssue = (value: number, least: number | null, most: number | null, of: string): string | null => {
  if (least !== null && value < least) return `Expected at least ${least} ${of}`.trimEnd()
  return most !== null && value > most ? `Expected at most ${most} ${of}`.trimEnd() : null
}

const numberIssue = (schema: SchemaObject, value: number): string | null => {
  const above = numberOf(schema, "exclusiveMinimum")
  const below = numberOf(schema, "exclusiveMaximum")
  const multiple = numberOf(schema, "multipleOf")
  if (above !== null && value <= above) return `Expected more than ${above}`
  if (below !== null && value >= below) return `Expected less than ${below}`
  if (multiple !== null && !Number.isInteger(value / multiple)) return `Expected a multiple of ${multiple}`
  return rangeIssue(value, numberOf(schema, "minimum"), numberOf(schema, "maximum"), "")
}

const typesOf = (type: Schema.Json): ReadonlyArray<Schema.Json> => itemsOf(type) ?? [type]

const typeIssue = ({ type }: SchemaObject, value: Schema.Json): string | null =>
  type === undefined || typesOf(type).some((name) => isOfType(value, name))
    ? null
    : `Expected the type ${typesOf(type).join(" or ")}`

const textLengthIssue = (schema: SchemaObject, value: string): string | null =>
  rangeIssue(Array.from(value).length, numberOf(schema, "minLength"), numberOf(schema, "maxLength"), "characters")

/** Number of characters that count as one step. */
const charactersPerStep = 100

/** Validates a value against a schema. Schemas come from outside, so they are not compiled to code, and their cost is limited. */
export const validateSchemaValue = (
  schema: PluginSchema,
  value: Schema.Json,
  pointer: string
): ReadonlyArray<ValidationIssue> => {
  const unkept = storableTextIssue(value, pointer)
  if (unkept !== null) return [unkept]
  const faults: Array<ValidationIssue> = []
  let steps = 0

  const spend = (more = 1) => {
    steps += more
    if (steps > maxSteps) throw new StepLimitExceeded()
  }

  // Caches each text, because a value is compared repeatedly.
  const texts = new Map<Schema.Json, string>()
  const textOf = (of: Schema.Json): string => {
    const known = texts.get(of)
    if (known !== undefined) return known
    const text = canonical(of)
    texts.set(of, text)
    return text
  }
  const listed = new Map<Schema.Json, ReadonlySet<string>>()
  const textsOf = (list: Schema.Json): ReadonlySet<string> => {
    const known = listed.get(list)
    if (known !== undefined) return known
    const all = new Set((itemsOf(list) ?? []).map(textOf))
    listed.set(list, all)
    return all
  }

  const faultOfScalar = (schema: SchemaObject, of: Schema.Json): string | null => {
    const { const: only, enum: among } = schema
    const wrong = typeIssue(schema, of)
    if (wrong !== null) return wrong
    if (only !== undefined && textOf(only) !== textOf(of)) return "Expected the only possible value"
    if (among !== undefined && !textsOf(among).has(textOf(of))) return "Expected one of the listed values"
    if (typeof of === "number") return numberIssue(schema, of)
    if (typeof of !== "string") return null
    spend(Math.ceil(of.length / charactersPerStep))
    return textLengthIssue(schema, of)
  }

  const meets = (each: Schema.Json, of: Schema.Json, at: string): boolean => {
    const before = faults.length
    walk(each, of, at)
    const isMet = faults.length === before
    faults.length = before
    return isMet
  }

  const fail = (at: string, message: string) => void faults.push({ pointer: at, message })

  const walkMembers = (schema: SchemaObject, members: SchemaObject, at: string) => {
    const names = Object.keys(members)
    const properties = membersOf(schema["properties"]) ?? {}
    spend(names.length)
    const wrong = rangeIssue(
      names.length,
      numberOf(schema, "minProperties"),
      numberOf(schema, "maxProperties"),
      "members"
    )
    if (wrong !== null) fail(at, wrong)
    const required = itemsOf(schema["required"]) ?? []
    spend(required.length)
    const needed = new Set(required.map(String))
    for (const [name, others] of Object.entries(membersOf(schema["dependentRequired"]) ?? {})) {
      spend()
      if (Object.hasOwn(members, name)) (itemsOf(others) ?? []).forEach((other) => needed.add(String(other)))
    }
    spend(needed.size)
    for (const name of needed) if (!Object.hasOwn(members, name)) fail(at + toPointerSegment(name), "Expected a value")
    for (const [name, other] of Object.entries(membersOf(schema["dependentSchemas"]) ?? {})) {
      spend()
      if (Object.hasOwn(members, name)) walk(other, members, at)
    }
    for (const name of names) {
      const place = at + toPointerSegment(name)
      if (schema["propertyNames"] !== undefined && !meets(schema["propertyNames"], name, place)) {
        fail(place, "Expected another property name")
      }
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      const rule = known ?? schema["additionalProperties"]
      if (rule === false) fail(place, "There is no property with this name")
      else if (rule !== undefined) walk(rule, members[name] ?? null, place)
    }
  }

  const walkItems = (schema: SchemaObject, items: ReadonlyArray<Schema.Json>, at: string) => {
    spend(items.length)
    const wrong = rangeIssue(items.length, numberOf(schema, "minItems"), numberOf(schema, "maxItems"), "items")
    if (wrong !== null) fail(at, wrong)
    if (schema["uniqueItems"] === true && new Set(items.map(textOf)).size < items.length) {
      fail(at, "Expected each item once")
    }
    const first = itemsOf(schema["prefixItems"]) ?? []
    items.forEach((item, index) => {
      const rule = first[index] ?? schema["items"]
      if (rule === false) fail(at + toPointerSegment(index), "The array has too many items")
      else if (rule !== undefined) walk(rule, item, at + toPointerSegment(index))
    })
    const { contains } = schema
    if (contains === undefined) return
    const found = items.filter((item, index) => meets(contains, item, at + toPointerSegment(index))).length
    const least = numberOf(schema, "minContains") ?? 1
    const lack = rangeIssue(found, least, numberOf(schema, "maxContains"), "items that fit")
    if (lack !== null) fail(at, lack)
  }

  const walkChoices = (schema: SchemaObject, of: Schema.Json, at: string) => {
    for (const each of itemsOf(schema["allOf"]) ?? []) walk(each, of, at)
    const any = itemsOf(schema["anyOf"])
    if (any !== null && !any.some((each) => meets(each, of, at))) fail(at, "Expected one of several forms")
    const one = itemsOf(schema["oneOf"])
    if (one !== null && one.filter((each) => meets(each, of, at)).length !== 1) {
      fail(at, "Expected exactly one of several forms")
    }
    if (schema["not"] !== undefined && meets(schema["not"], of, at)) fail(at, "Expected another form")
    if (schema["if"] === undefined) return
    const rule = meets(schema["if"], of, at) ? schema["then"] : schema["else"]
    if (rule !== undefined) walk(rule, of, at)
  }

  const walk = (each: Schema.Json, of: Schema.Json, at: string): void => {
    spend()
    if (faults.length >= maxIssues) return
    if (each === false) return fail(at, "Expected nothing here")
    const input = membersOf(each)
    if (input === null) return
    const wrong = faultOfScalar(input, of)
    if (wrong !== null) return fail(at, wrong)
    walkChoices(input, of, at)
    const members = membersOf(of)
    if (members !== null) walkMembers(input, members, at)
    const items = itemsOf(of)
    if (items !== null) walkItems(input, items, at)
  }

  try {
    walk(schema, value, pointer)
  } catch (error) {
    if (error instanceof StepLimitExceeded) return [{ pointer, message: "The validation of this value takes too long" }]
    throw error
  }
  return faults
}
