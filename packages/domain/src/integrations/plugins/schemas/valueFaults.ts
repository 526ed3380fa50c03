import type { Schema } from "effect"
import type { Fault } from "../../../kernel/index.ts"
import { itemsOf, membersOf, type PluginSchema, step } from "./PluginSchema.ts"

const isKept = (text: string) => text.isWellFormed() && !text.includes("\0")

const message = "Expected text that is valid Unicode, without the character 0"

/** The first text or name in a value that no database keeps: half a character, or the character 0. */
export const faultOfCharacters = (value: Schema.Json, pointer: string): Fault | null => {
  if (typeof value === "string") return isKept(value) ? null : { pointer, message }
  const inside = itemsOf(value)?.entries() ?? Object.entries(membersOf(value) ?? {})
  for (const [name, each] of inside) {
    if (typeof name === "string" && !isKept(name)) return { pointer, message }
    const fault = faultOfCharacters(each, pointer + step(name))
    if (fault !== null) return fault
  }
  return null
}

/** A text as databases keep it. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")

/** So many faults are told of one value. */
const mostFaults = 20

/** A schema and a value of 64 KiB each could keep a process busy for minutes: so many schemas are applied at most. */
const mostSteps = 100_000

class TooMuch extends Error {}

/** The same text for values that are equal, in whatever order their members stand. */
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

type Keyworded = Readonly<Record<string, Schema.Json>>

const numberOf = (schema: Keyworded, name: string): number | null => {
  const value = schema[name]
  return typeof value === "number" ? value : null
}

/** Where a number has to be within limits that are said, what is expected of it. */
const outside = (value: number, least: number | null, most: number | null, of: string): string | null => {
  if (least !== null && value < least) return `Expected at least ${least} ${of}`.trimEnd()
  return most !== null && value > most ? `Expected at most ${most} ${of}`.trimEnd() : null
}

const faultOfNumber = (schema: Keyworded, value: number): string | null => {
  const above = numberOf(schema, "exclusiveMinimum")
  const below = numberOf(schema, "exclusiveMaximum")
  const multiple = numberOf(schema, "multipleOf")
  if (above !== null && value <= above) return `Expected more than ${above}`
  if (below !== null && value >= below) return `Expected less than ${below}`
  if (multiple !== null && !Number.isInteger(value / multiple)) return `Expected a multiple of ${multiple}`
  return outside(value, numberOf(schema, "minimum"), numberOf(schema, "maximum"), "")
}

const typesOf = (type: Schema.Json): ReadonlyArray<Schema.Json> => itemsOf(type) ?? [type]

const faultOfType = ({ type }: Keyworded, value: Schema.Json): string | null =>
  type === undefined || typesOf(type).some((name) => isOfType(value, name))
    ? null
    : `Expected the type ${typesOf(type).join(" or ")}`

const faultOfText = (schema: Keyworded, value: string): string | null =>
  outside(Array.from(value).length, numberOf(schema, "minLength"), numberOf(schema, "maxLength"), "characters")

/** How many characters are counted in one step. */
const charactersAtOnce = 100

/**
 * What a value is not as its schema says. Schemas come from outside, so they are not compiled to code, and what they cost is
 * bounded.
 */
export const faultsOfValue = (schema: PluginSchema, value: Schema.Json, pointer: string): ReadonlyArray<Fault> => {
  const unkept = faultOfCharacters(value, pointer)
  if (unkept !== null) return [unkept]
  const faults: Array<Fault> = []
  let steps = 0

  const spend = (more = 1) => {
    steps += more
    if (steps > mostSteps) throw new TooMuch()
  }

  // Each text is made once, however often the value is compared.
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

  const faultOfScalar = (said: Keyworded, of: Schema.Json): string | null => {
    const { const: only, enum: among } = said
    const wrong = faultOfType(said, of)
    if (wrong !== null) return wrong
    if (only !== undefined && textOf(only) !== textOf(of)) return "Expected the one value that there can be"
    if (among !== undefined && !textsOf(among).has(textOf(of))) return "Expected one of the listed values"
    if (typeof of === "number") return faultOfNumber(said, of)
    if (typeof of !== "string") return null
    spend(Math.ceil(of.length / charactersAtOnce))
    return faultOfText(said, of)
  }

  const meets = (each: Schema.Json, of: Schema.Json, at: string): boolean => {
    const before = faults.length
    walk(each, of, at)
    const isMet = faults.length === before
    faults.length = before
    return isMet
  }

  const fail = (at: string, message: string) => void faults.push({ pointer: at, message })

  const walkMembers = (said: Keyworded, members: Keyworded, at: string) => {
    const names = Object.keys(members)
    const properties = membersOf(said["properties"]) ?? {}
    spend(names.length)
    const wrong = outside(names.length, numberOf(said, "minProperties"), numberOf(said, "maxProperties"), "members")
    if (wrong !== null) fail(at, wrong)
    const required = itemsOf(said["required"]) ?? []
    spend(required.length)
    const needed = new Set(required.map(String))
    for (const [name, others] of Object.entries(membersOf(said["dependentRequired"]) ?? {})) {
      spend()
      if (Object.hasOwn(members, name)) (itemsOf(others) ?? []).forEach((other) => needed.add(String(other)))
    }
    spend(needed.size)
    for (const name of needed) if (!Object.hasOwn(members, name)) fail(at + step(name), "Expected a value")
    for (const [name, other] of Object.entries(membersOf(said["dependentSchemas"]) ?? {})) {
      spend()
      if (Object.hasOwn(members, name)) walk(other, members, at)
    }
    for (const name of names) {
      const place = at + step(name)
      if (said["propertyNames"] !== undefined && !meets(said["propertyNames"], name, place)) {
        fail(place, "Expected a member of another name")
      }
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      const rule = known ?? said["additionalProperties"]
      if (rule === false) fail(place, "There is no member of this name")
      else if (rule !== undefined) walk(rule, members[name] ?? null, place)
    }
  }

  const walkItems = (said: Keyworded, items: ReadonlyArray<Schema.Json>, at: string) => {
    spend(items.length)
    const wrong = outside(items.length, numberOf(said, "minItems"), numberOf(said, "maxItems"), "items")
    if (wrong !== null) fail(at, wrong)
    if (said["uniqueItems"] === true && new Set(items.map(textOf)).size < items.length) {
      fail(at, "Expected each item once")
    }
    const first = itemsOf(said["prefixItems"]) ?? []
    items.forEach((item, index) => {
      const rule = first[index] ?? said["items"]
      if (rule === false) fail(at + step(index), "There is no place for so many items")
      else if (rule !== undefined) walk(rule, item, at + step(index))
    })
    const { contains } = said
    if (contains === undefined) return
    const found = items.filter((item, index) => meets(contains, item, at + step(index))).length
    const least = numberOf(said, "minContains") ?? 1
    const lack = outside(found, least, numberOf(said, "maxContains"), "items that fit")
    if (lack !== null) fail(at, lack)
  }

  const walkChoices = (said: Keyworded, of: Schema.Json, at: string) => {
    for (const each of itemsOf(said["allOf"]) ?? []) walk(each, of, at)
    const any = itemsOf(said["anyOf"])
    if (any !== null && !any.some((each) => meets(each, of, at))) fail(at, "Expected one of several forms")
    const one = itemsOf(said["oneOf"])
    if (one !== null && one.filter((each) => meets(each, of, at)).length !== 1) {
      fail(at, "Expected exactly one of several forms")
    }
    if (said["not"] !== undefined && meets(said["not"], of, at)) fail(at, "Expected another form")
    if (said["if"] === undefined) return
    const rule = meets(said["if"], of, at) ? said["then"] : said["else"]
    if (rule !== undefined) walk(rule, of, at)
  }

  const walk = (each: Schema.Json, of: Schema.Json, at: string): void => {
    spend()
    if (faults.length >= mostFaults) return
    if (each === false) return fail(at, "Expected nothing here")
    const said = membersOf(each)
    if (said === null) return
    const wrong = faultOfScalar(said, of)
    if (wrong !== null) return fail(at, wrong)
    walkChoices(said, of, at)
    const members = membersOf(of)
    if (members !== null) walkMembers(said, members, at)
    const items = itemsOf(of)
    if (items !== null) walkItems(said, items, at)
  }

  try {
    walk(schema, value, pointer)
  } catch (error) {
    if (error instanceof TooMuch) return [{ pointer, message: "What the schema asks of this value takes too long" }]
    throw error
  }
  return faults
}
