import { DateTime, Option, Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"
import type { Filter } from "./Filter.ts"

/** Fields of contacts in conditions. Other areas add fields. */
export const FilterField = Schema.Literals([
  "tag",
  "attribute",
  "consent",
  "name",
  "phone",
  "email",
  "locale",
  "timezone",
  "identity",
  "createdAt",
  "lastSeenAt",
  "lastInboundAt",
  "blocked",
  "segment",
  "contact"
])
export type FilterField = typeof FilterField.Type

/** Returns whether the contact itself has this field. */
export const isFilterField = Schema.is(FilterField)

const presenceOperatorNames = ["is_set", "is_not_set"] as const
const textOperatorNames = ["is", "is_not", "any_of", "contains", "starts_with", ...presenceOperatorNames] as const
const timeOperatorNames = ["before", "since", "within_days", "not_within_days", ...presenceOperatorNames] as const

/** Operators of each field, for descriptions. The operators of an attribute depend on its type. */
export const filterOperators: Readonly<Record<FilterField, ReadonlyArray<string>>> = {
  tag: ["any_of", "all_of", "none_of"],
  attribute: ["is", "is_not", "any_of", "contains", "lt", "lte", "gt", "gte", ...presenceOperatorNames],
  consent: ["is", "is_not"],
  name: textOperatorNames,
  phone: textOperatorNames,
  email: textOperatorNames,
  locale: textOperatorNames,
  timezone: textOperatorNames,
  identity: ["has", "has_not"],
  createdAt: timeOperatorNames,
  lastSeenAt: timeOperatorNames,
  lastInboundAt: timeOperatorNames,
  blocked: ["is"],
  segment: ["in", "not_in"],
  contact: ["any_of", "none_of"]
}

const toCodeList = (words: ReadonlyArray<string>) => words.map((word) => `\`${word}\``).join(", ")

/** Describes the operators of fields for callers. Fields with the same operators share a line. */
export const describeOperators = (operators: Readonly<Record<string, ReadonlyArray<string>>>): string => {
  const lines = Object.entries(Object.groupBy(Object.entries(operators), ([, operators]) => toCodeList(operators))).map(
    ([operators, fields = []]) => `- ${toCodeList(fields.map(([field]) => field))}: ${operators}`
  )
  return `Operator. Each field has its own operators:\n\n${lines.join("\n")}\n\nFor attributes, \`contains\` applies to texts, and \`lt\`, \`lte\`, \`gt\` and \`gte\` apply to numbers and dates.`
}

/** Parses the value of a condition, or reports an error. */
export type ConditionReader = (value: Schema.Json | undefined, fail: (message: string) => Filter) => Filter

/** Readers of a field's conditions, by operator. */
export type OperatorReaders = Readonly<Record<string, ConditionReader>>

/** Builds a reader from a schema. */
export const valueReader = <A>(schema: Schema.Codec<A, unknown>, message: string) => {
  const decode = Schema.decodeUnknownOption(schema, { onExcessProperty: "error" })
  return (value: unknown, fail: (message: string) => Filter, then: (value: A) => Filter): Filter =>
    Option.match(decode(value), { onNone: () => fail(message), onSome: then })
}

/** Schema of a list with 1 to `most` items. */
export const nonEmptyList = <A>(schema: Schema.Codec<A, unknown>, most = 50) =>
  Schema.Array(schema).check(Schema.isBetweenLength(1, most))

/** Matches the contacts that the other filter does not match. */
export const negateFilter = (of: Filter): Filter => ({ kind: "not", of })

/** Returns the operators for the presence of a value. They take no value; other operators take one. */
export const presenceOperators = (set: Filter): OperatorReaders => ({
  is_set: (value, fail) => (value === undefined ? set : fail("This operator takes no value")),
  is_not_set: (value, fail) => (value === undefined ? negateFilter(set) : fail("This operator takes no value"))
})

/** Maximum number of days that a condition can look back. */
export const maxFilterDays = 3_650

const readTime = valueReader(Timestamp, "Expected a time such as 2026-03-01T09:30:00Z")
const readDays = valueReader(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxFilterDays })),
  `Expected a whole number of days from 1 to ${maxFilterDays}`
)

/** Conditions of a time that some contacts lack. */
interface TimeConditions {
  readonly set: Filter
  readonly before: (at: DateTime.Utc) => Filter
  /** At or after this time. */
  readonly since: (at: DateTime.Utc) => Filter
}

/** Returns the operators of a time field. */
export const timeOperators = ({ before, set, since }: TimeConditions, now: DateTime.Utc): OperatorReaders => {
  const ago = (count: number) => since(DateTime.subtract(now, { days: count }))
  return {
    before: (value, fail) => readTime(value, fail, before),
    since: (value, fail) => readTime(value, fail, since),
    within_days: (value, fail) => readDays(value, fail, ago),
    not_within_days: (value, fail) => readDays(value, fail, (count) => negateFilter(ago(count))),
    ...presenceOperators(set)
  }
}
