import { Predicate } from "effect"

/** JSON object of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

/** Direction of a value: clients send requests and read answers. */
export type Direction = "request" | "answer"

export const isJson = (value: unknown): value is Json => Predicate.isObject(value)

export const membersOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJson) : [])

/** Follows a reference inside of the document. */
export const resolveIn = (document: Json, part: Json): Json => {
  const { $ref } = part
  if (!Predicate.isString($ref)) return part
  let found: unknown = document
  for (const name of $ref.slice(2).split("/")) {
    found = isJson(found) ? found[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined
  }
  return isJson(found) ? found : {}
}

const requiredOf = ({ required }: Json) => (Array.isArray(required) ? required.filter(Predicate.isString) : [])

const propertiesOf = ({ properties }: Json): Json => (isJson(properties) ? properties : {})

/** Merges a schema with the parts of its `allOf`. */
const wholeOf = (document: Json, schema: Json): Json => {
  const resolved = resolveIn(document, schema)
  const parts = membersOf(resolved["allOf"]).map((part) => wholeOf(document, part))
  if (parts.length === 0) return resolved
  const { allOf: _, ...own } = resolved
  const all = [...parts, own]
  return {
    ...Object.assign({}, ...all),
    required: all.flatMap(requiredOf),
    ...(all.some((part) => isJson(part["properties"])) && { properties: Object.assign({}, ...all.map(propertiesOf)) })
  }
}

/** Variants of a schema: members of unions, and types of a list of types. */
const variantsOf = (document: Json, schema: Json): ReadonlyArray<Json> => {
  const whole = wholeOf(document, schema)
  const union = [...membersOf(whole["anyOf"]), ...membersOf(whole["oneOf"])]
  if (union.length > 0) return union.flatMap((variant) => variantsOf(document, variant))
  const { type } = whole
  return Array.isArray(type) ? type.map((each) => ({ ...whole, type: each })) : [whole]
}

const typeOf = ({ enum: values, properties, type }: Json): string => {
  if (Predicate.isString(type)) return type
  if (isJson(properties)) return "object"
  if (!Array.isArray(values)) return "any"
  return values[0] === null ? "null" : typeof values[0]
}

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems"]
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"]
const otherLimits = ["pattern", "format", "multipleOf", "uniqueItems"]

const isTighter = (keyword: string, before: unknown, after: unknown) => {
  if (after === undefined) return false
  if (lowerBounds.includes(keyword)) return Number(after) > Number(before ?? -Infinity)
  if (upperBounds.includes(keyword)) return Number(after) < Number(before ?? Infinity)
  return JSON.stringify(before) !== JSON.stringify(after)
}

const limitBreaks = (before: Json, after: Json) =>
  [...lowerBounds, ...upperBounds, ...otherLimits].flatMap((keyword) =>
    isTighter(keyword, before[keyword], after[keyword])
      ? [`: ${keyword} is ${JSON.stringify(after[keyword])} instead of ${JSON.stringify(before[keyword] ?? null)}`]
      : []
  )

const valuesOf = ({ enum: values }: Json) =>
  Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : null

/** Compares schemas of two documents. A schema that contains itself is compared once. */
export const schemaComparison = (before: Json, after: Json) => {
  const compared = new Map<string, ReadonlyArray<string>>()
  const ids = new Map<Json, number>()
  const idOf = (schema: Json) => {
    const id = ids.get(schema) ?? ids.size
    ids.set(schema, id)
    return id
  }

  const enumBreaks = (one: Json, other: Json, direction: Direction) => {
    const [old, now] = [valuesOf(one), valuesOf(other)]
    if (now === null) return old === null || direction === "request" ? [] : [": the values are no longer listed"]
    if (old === null) return direction === "request" ? [": only listed values are accepted"] : []
    return old.filter((value) => !now.includes(value)).map((value) => `: the value ${value} is removed`)
  }

  const objectBreaks = (one: Json, other: Json, direction: Direction): ReadonlyArray<string> => {
    const [old, now] = [propertiesOf(one), propertiesOf(other)]
    const [wasRequired, isRequired] = [requiredOf(one), requiredOf(other)]
    const own = Object.entries(old).flatMap(([name, field]) => {
      const next = now[name]
      if (!isJson(field)) return []
      if (!isJson(next)) return [`.${name}: the field is removed`]
      const isMissing = direction === "answer" && wasRequired.includes(name) && !isRequired.includes(name)
      const isDemanded = direction === "request" && !wasRequired.includes(name) && isRequired.includes(name)
      return [
        ...(isMissing ? [`.${name}: the field can be absent`] : []),
        ...(isDemanded ? [`.${name}: the field is required`] : []),
        ...schemaBreaks(field, next, direction).map((text) => `.${name}${text}`)
      ]
    })
    const added = isRequired.filter((name) => direction === "request" && !(name in old))
    return [...own, ...added.map((name) => `.${name}: the new field is required`)]
  }

  const variantBreaks = (one: Json, other: Json, direction: Direction): ReadonlyArray<string> => {
    const [type, next] = [typeOf(one), typeOf(other)]
    const isWider = type === "integer" && next === "number" && direction === "request"
    if (type !== next && !isWider && !(next === "any" && direction === "request"))
      return [`: the type is ${next} instead of ${type}`]
    const [items, nextItems] = [one["items"], other["items"]]
    const [rest, nextRest] = [one["additionalProperties"], other["additionalProperties"]]
    return [
      ...enumBreaks(one, other, direction),
      ...(direction === "request" ? limitBreaks(one, other) : []),
      ...objectBreaks(one, other, direction),
      ...(isJson(items) && isJson(nextItems)
        ? schemaBreaks(items, nextItems, direction).map((text) => `[]${text}`)
        : []),
      ...(isJson(rest) && isJson(nextRest) ? schemaBreaks(rest, nextRest, direction).map((text) => `.*${text}`) : [])
    ]
  }

  const unionBreaks = (one: Json, other: Json, direction: Direction): ReadonlyArray<string> => {
    const [old, now] = [variantsOf(before, one), variantsOf(after, other)]
    const lost = old.flatMap((variant) => {
      const all = now.map((each) => variantBreaks(variant, each, direction))
      return all.toSorted((first, second) => first.length - second.length)[0] ?? []
    })
    const types = new Set(old.map(typeOf))
    const added = direction === "answer" ? now.map(typeOf).filter((type) => !types.has(type) && !types.has("any")) : []
    return [...lost, ...(old.length === 1 && now.length === 1 ? [] : added.map((type) => `: the value can be ${type}`))]
  }

  /** Lists the changes of a schema that break clients. Each text starts with the place inside of the schema. */
  function schemaBreaks(one: Json, other: Json, direction: Direction): ReadonlyArray<string> {
    const [old, now] = [resolveIn(before, one), resolveIn(after, other)]
    const key = `${direction} ${idOf(old)} ${idOf(now)}`
    const known = compared.get(key)
    if (known !== undefined) return known
    compared.set(key, [])
    const found = unionBreaks(old, now, direction)
    compared.set(key, found)
    return found
  }

  return schemaBreaks
}
