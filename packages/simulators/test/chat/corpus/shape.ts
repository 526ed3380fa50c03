import { Predicate } from "effect"

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

const kindOf = (value: unknown): string => (value === null ? "null" : typeof value)

/** Where an answer has other keys or other types than the fact. An entry of a list can match any entry of the fact's list. */
export const differences = (fact: unknown, actual: unknown, path = "$"): ReadonlyArray<string> => {
  if (Array.isArray(fact) && Array.isArray(actual)) {
    return actual.flatMap((entry, index) => {
      const found = fact.map((each) => differences(each, entry, `${path}[${index}]`))
      return found.length === 0 || found.some((each) => each.length === 0) ? [] : (found[0] ?? [])
    })
  }
  if (isFields(fact) && isFields(actual)) {
    const missing = Object.keys(fact).filter((key) => !Object.hasOwn(actual, key))
    const strange = Object.keys(actual).filter((key) => !Object.hasOwn(fact, key))
    return [
      ...missing.map((key) => `${path}.${key} is missing`),
      ...strange.map((key) => `${path}.${key} is unknown`),
      ...Object.keys(fact)
        .filter((key) => Object.hasOwn(actual, key))
        .flatMap((key) => differences(fact[key], actual[key], `${path}.${key}`))
    ]
  }
  return kindOf(fact) === kindOf(actual) && Array.isArray(fact) === Array.isArray(actual)
    ? []
    : [`${path} is ${kindOf(actual)} and not ${kindOf(fact)}`]
}

/** Keys whose values tell kinds of webhooks apart. */
const kindKeys: ReadonlySet<string> = new Set([
  "object",
  "field",
  "event",
  "type",
  "status",
  "decision",
  "direction",
  "action",
  "sdp_type",
  "waba_ban_state",
  "reply"
])

/** A value with the types of its texts and numbers in place of them. Lists keep one entry of each shape. */
export const shapeOf = (value: unknown, key = ""): unknown => {
  if (Array.isArray(value)) {
    const shapes = new Map(value.map((entry) => [JSON.stringify(shapeOf(entry)), shapeOf(entry)]))
    return [...shapes.keys()].toSorted().map((text) => shapes.get(text))
  }
  if (isFields(value)) {
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((name) => [name, shapeOf(value[name], name)])
    )
  }
  return kindKeys.has(key) && typeof value === "string" ? value : kindOf(value)
}
