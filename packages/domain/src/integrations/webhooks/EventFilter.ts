import { Predicate, Schema } from "effect"
import { type ActorRef, type EventShape, isStorable, StorableJson, type ValidationIssue } from "../../kernel/index.ts"

/** Maximum number of conditions in an event filter. */
export const maxEventConditions = 20

/** Maximum nesting depth of an event filter. */
export const maxEventFilterDepth = 8

/** Event filter input: a condition (`field`, `op`, `value`), or `all`, `any` or `not` of others. */
export interface EventFilter {
  readonly all?: ReadonlyArray<EventFilter>
  readonly any?: ReadonlyArray<EventFilter>
  readonly not?: EventFilter
  readonly field?: string
  readonly op?: string
  readonly value?: Schema.Json
}

const Nested = Schema.suspend((): Schema.Codec<EventFilter> => EventFilter)

const Word = Schema.String.check(
  isStorable,
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })
)

/** Same form as filters of contacts. The parts of a condition depend on each other, so the filter reader checks them. */
export const EventFilter: Schema.Codec<EventFilter> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "All of these conditions must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({
    description: "At least one of these conditions must hold."
  }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This condition must not hold." }),
  field: Schema.optionalKey(Word).annotateKey({
    description: "Field of the condition: `event.` and a field of the event, or `actor.kind`."
  }),
  op: Schema.optionalKey(Word).annotateKey({
    description: "Operator: `is`, `is_not`, `any_of`, `is_set`, `is_not_set`."
  }),
  value: Schema.optionalKey(StorableJson).annotateKey({ description: "Value to compare with." })
}).annotate({
  identifier: "EventFilter",
  description:
    "A condition, or a combination with `all`, `any` or `not`; at most 20 conditions. An empty filter matches all events."
})

/** Event data that a filter evaluates. */
export interface FilterSubject {
  readonly event: EventShape
  readonly actor: ActorRef
}

/** Returns whether an event matches the filter. */
export type EventPredicate = (happened: FilterSubject) => boolean

/** Parsed event filter, or all its errors. */
export interface ParsedEventFilter {
  readonly meets: EventPredicate
  readonly faults: ReadonlyArray<ValidationIssue>
}

type Value = string | number | boolean

const isValue = (value: unknown): value is Value =>
  Predicate.isString(value) || Predicate.isNumber(value) || Predicate.isBoolean(value)

const maxValues = 50

const always: EventPredicate = () => true
const never: EventPredicate = () => false

/** Returns the value of an event's field: none, one or several. Ignores inherited object properties. */
type FieldReader = (happened: FilterSubject) => unknown

const findFieldReader = (field: string, known: ReadonlySet<string>): FieldReader | null => {
  if (field === "actor.kind") return ({ actor }) => actor.kind
  const name = field.startsWith("event.") ? field.slice("event.".length) : null
  if (name === null || !known.has(name)) return null
  return ({ event }) => (Object.hasOwn(event, name) ? event[name] : undefined)
}

/** Matches a list if any of its items matches. */
const matchesAnyValue = (found: unknown, values: ReadonlyArray<Value>): boolean =>
  Array.isArray(found)
    ? found.some((each) => values.some((value) => value === each))
    : values.some((value) => value === found)

type Fail = (message: string) => EventPredicate

type ReadCondition = (look: FieldReader, value: Schema.Json | undefined, fail: Fail) => EventPredicate

const isSet: (look: FieldReader) => EventPredicate = (look) => (happened) => (look(happened) ?? null) !== null

const not =
  (meets: EventPredicate): EventPredicate =>
  (happened) =>
    !meets(happened)

const is: ReadCondition = (look, value, fail) =>
  isValue(value)
    ? (happened) => matchesAnyValue(look(happened), [value])
    : fail("Expected a text, a number, true or false")

const presence =
  (wrap: (meets: EventPredicate) => EventPredicate): ReadCondition =>
  (look, value, fail) =>
    value === undefined ? wrap(isSet(look)) : fail("This operator takes no value")

const operators: Readonly<Record<string, ReadCondition>> = {
  is,
  is_not: (look, value, fail) =>
    isValue(value) ? not(is(look, value, fail)) : fail("Expected a text, a number, true or false"),
  any_of: (look, value, fail) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxValues || !value.every(isValue)) {
      return fail(`Expected 1 to ${maxValues} texts, numbers, or true and false`)
    }
    return (happened) => matchesAnyValue(look(happened), value)
  },
  is_set: presence((meets) => meets),
  is_not_set: presence(not)
}

/**
 * Parses an event filter and finds all its errors. An absent value meets no condition, so `not` of a condition matches it. `known` are the fields
 * that exist in any event type.
 */
export const readEventFilter = (input: EventFilter, pointer: string, known: ReadonlySet<string>): ParsedEventFilter => {
  const faults: Array<ValidationIssue> = []
  let conditions = 0

  const wrong = (at: string, message: string): EventPredicate => {
    faults.push({ pointer: at, message })
    return never
  }

  const condition = ({ field = "", op, value }: EventFilter, at: string): EventPredicate => {
    conditions += 1
    if (conditions === maxEventConditions + 1)
      return wrong(pointer, `Expected at most ${maxEventConditions} conditions`)
    if (conditions > maxEventConditions) return never
    const look = findFieldReader(field, known)
    if (look === null) return wrong(`${at}/field`, "Expected event. and a field of events, or actor.kind")
    const read = new Map(Object.entries(operators)).get(op ?? "")
    if (read === undefined) return wrong(`${at}/op`, `Expected one of: ${Object.keys(operators).join(", ")}`)
    return read(look, value, (message) => wrong(`${at}/value`, message))
  }

  const read = (part: EventFilter, at: string, level: number): EventPredicate => {
    if (Object.keys(part).length === 0) return always
    const kinds = (["all", "any", "not", "field"] as const).filter((kind) => part[kind] !== undefined)
    if (kinds.length !== 1) return wrong(at, "Expected one of: all, any, not, or a condition of field, op and value")
    if (level > maxEventFilterDepth) return wrong(at, `Expected at most ${maxEventFilterDepth} levels`)
    if (part.field !== undefined) return condition(part, at)
    const stray = (["op", "value"] as const).find((kind) => part[kind] !== undefined)
    if (stray !== undefined) return wrong(`${at}/${stray}`, "Only a condition has this")
    if (part.not !== undefined) return not(read(part.not, `${at}/not`, level + 1))
    if (part.all !== undefined) {
      const of = part.all.map((each, index) => read(each, `${at}/all/${index}`, level + 1))
      return (happened) => of.every((meets) => meets(happened))
    }
    const of = (part.any ?? []).map((each, index) => read(each, `${at}/any/${index}`, level + 1))
    return (happened) => of.some((meets) => meets(happened))
  }

  const meets = read(input, pointer, 1)
  return { meets: faults.length > 0 ? never : meets, faults }
}

/** Returns whether a pattern matches an event type: its name, a prefix such as `order.*`, or `*` for all. */
export const matchesPattern = (type: string, pattern: string): boolean => {
  if (pattern === "*") return true
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** Returns the types that match any of the patterns. */
export const matchingTypes = (types: Iterable<string>, patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(types).filter((type) => patterns.some((pattern) => matchesPattern(type, pattern)))
