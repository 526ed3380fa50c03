import { DateTime, Option, Result, Schema } from "effect"
import { maxFilterDays } from "../../../crm/index.ts"
import { normalizeForSearch, Money, Timestamp } from "../../../kernel/index.ts"
import { MultiLineText } from "../../../platform/identity/index.ts"
import type { FactValue } from "../facts/Facts.ts"

/** Tests an observed value at a time. */
export type FactTest = (seen: FactValue, now: DateTime.Utc) => boolean

/** Parses the value of a condition to a test, or to an error message. */
export type FactTestReader = (value: Schema.Json | undefined) => Result.Result<FactTest, string>

/** Test readers of a field, by operator. */
export type FactOperators = Readonly<Record<string, FactTestReader>>

const makeTestReader =
  <A>(schema: Schema.Codec<A, unknown>, message: string, testOf: (value: A) => FactTest): FactTestReader =>
  (value: unknown) =>
    Option.match(Schema.decodeUnknownOption(schema, { onExcessProperty: "error" })(value), {
      onNone: () => Result.fail(message),
      onSome: (read) => Result.succeed(testOf(read))
    })

const not =
  (test: FactTest): FactTest =>
  (seen, now) =>
    !test(seen, now)

const isSet: FactTest = (seen) => seen !== null

const withoutValue =
  (test: FactTest): FactTestReader =>
  (value) =>
    value === undefined ? Result.succeed(test) : Result.fail("This operator takes no value")

const presence: FactOperators = { is_set: withoutValue(isSet), is_not_set: withoutValue(not(isSet)) }

const listUpTo50 = <A>(schema: Schema.Codec<A, unknown>) => Schema.Array(schema).check(Schema.isBetweenLength(1, 50))

const Text = MultiLineText.check(Schema.isBetweenCodePoints(1, 200))
const [oneText, someTexts] = ["Expected a text of 1 to 200 characters", "Expected 1 to 50 texts"]

/** Operators for a keyword or id out of several. */
export const choiceOperators = <A extends string>(
  schema: Schema.Codec<A, unknown>,
  one: string,
  some: string
): FactOperators => {
  const among =
    (values: ReadonlyArray<string>): FactTest =>
    (seen) =>
      typeof seen === "string" && values.includes(seen)
  return {
    is: makeTestReader(schema, one, (value) => among([value])),
    is_not: makeTestReader(schema, one, (value) => not(among([value]))),
    any_of: makeTestReader(listUpTo50(schema), some, among),
    ...presence
  }
}

/** Operators for a text; `spelled` normalizes it for comparison. */
export const textOperators = (spelled: (text: string) => string): FactOperators => {
  const is =
    (values: ReadonlyArray<string>): FactTest =>
    (seen) =>
      typeof seen === "string" && values.some((value) => spelled(value) === spelled(seen))
  return {
    is: makeTestReader(Text, oneText, (value) => is([value])),
    is_not: makeTestReader(Text, oneText, (value) => not(is([value]))),
    any_of: makeTestReader(listUpTo50(Text), someTexts, is),
    contains: makeTestReader(
      Text,
      oneText,
      (value) => (seen) => typeof seen === "string" && spelled(seen).includes(spelled(value))
    ),
    starts_with: makeTestReader(
      Text,
      oneText,
      (value) => (seen) => typeof seen === "string" && spelled(seen).startsWith(spelled(value))
    ),
    ...presence
  }
}

const toWordSequence = (text: string): string =>
  ` ${normalizeForSearch(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== "")
    .join(" ")} `

const hasLetters = (word: string) => toWordSequence(word).trim() !== ""

const Words = listUpTo50(Text.check(Schema.makeFilter(hasLetters)))

/** Operators for a message text, which can be searched for words. */
export const messageTextOperators: FactOperators = {
  ...textOperators(normalizeForSearch),
  has_word: makeTestReader(Words, "Expected 1 to 50 words", (words) => (seen) => {
    const input = typeof seen === "string" ? toWordSequence(seen) : ""
    return words.some((word) => input.includes(toWordSequence(word)))
  })
}

/** Operators for a list. */
export const listOperators = <A extends string>(schema: Schema.Codec<A, unknown>, some: string): FactOperators => {
  const listed = (seen: FactValue): ReadonlyArray<string> => (Array.isArray(seen) ? seen : [])
  const several = listUpTo50(schema)
  const anyOf =
    (values: ReadonlyArray<string>): FactTest =>
    (seen) =>
      values.some((value) => listed(seen).includes(value))
  return {
    any_of: makeTestReader(several, some, anyOf),
    all_of: makeTestReader(several, some, (values) => (seen) => values.every((value) => listed(seen).includes(value))),
    none_of: makeTestReader(several, some, (values) => not(anyOf(values)))
  }
}

/** Comparisons of two amounts of the same unit. */
const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  is: (one, other) => one === other,
  lt: (one, other) => one < other,
  lte: (one, other) => one <= other,
  gt: (one, other) => one > other,
  gte: (one, other) => one >= other
}

const makeComparisonOperators = <A>(
  schema: Schema.Codec<A, unknown>,
  message: string,
  amountsOf: (seen: FactValue, value: A) => readonly [number, number] | null
): FactOperators =>
  Object.fromEntries(
    Object.entries(comparisons).map(([op, holds]) => [
      op,
      makeTestReader(schema, message, (value) => (seen) => {
        const amounts = amountsOf(seen, value)
        return amounts !== null && holds(...amounts)
      })
    ])
  )

const maxCount = 1_000_000_000

/** Operators for a count. */
export const countOperators: FactOperators = makeComparisonOperators(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxCount })),
  `Expected a whole number from 0 to ${maxCount}`,
  (seen, value) => (typeof seen === "number" ? [seen, value] : null)
)

const isMoney = Schema.is(Money)

/** Operators for an amount of money. A different currency never matches. */
export const moneyOperators: FactOperators = makeComparisonOperators(
  Money,
  'Expected an amount such as { "amountMinor": 5000, "currency": "EUR" }',
  (seen, { amountMinor, currency }) =>
    isMoney(seen) && seen.currency === currency ? [seen.amountMinor, amountMinor] : null
)

const Scalar = Schema.Union([Text, Schema.Finite, Schema.Boolean])
const [oneScalar, someScalars] = ["Expected a text, a number, true or false", "Expected 1 to 50 texts or numbers"]

const isOneOf =
  (values: ReadonlyArray<string | number | boolean>): FactTest =>
  (seen) =>
    values.some((value) => value === seen)

/** Operators for a value of free JSON. A comparison with a value of another type does not hold. */
export const jsonOperators: FactOperators = {
  is: makeTestReader(Scalar, oneScalar, (value) => isOneOf([value])),
  is_not: makeTestReader(Scalar, oneScalar, (value) => not(isOneOf([value]))),
  any_of: makeTestReader(listUpTo50(Scalar), someScalars, isOneOf),
  contains: makeTestReader(
    Text,
    oneText,
    (value) => (seen) => (typeof seen === "string" || Array.isArray(seen)) && seen.includes(value)
  ),
  starts_with: makeTestReader(Text, oneText, (value) => (seen) => typeof seen === "string" && seen.startsWith(value)),
  ...Object.fromEntries(
    Object.entries(comparisons).flatMap(([op, holds]) =>
      op === "is"
        ? []
        : [
            [
              op,
              makeTestReader(
                Schema.Finite,
                "Expected a number",
                (value) => (seen) => typeof seen === "number" && holds(seen, value)
              )
            ]
          ]
    )
  ),
  ...presence
}

export const booleanOperators: FactOperators = {
  is: makeTestReader(Schema.Boolean, "Expected true or false", (value) => (seen) => seen === value)
}

const maxMinutes = maxFilterDays * 24 * 60

const countOf = (unit: string, maximum: number) =>
  [
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })),
    `Expected a whole number of ${unit} from 1 to ${maximum}`
  ] as const

const timeMessage = "Expected a time such as 2026-03-01T09:30:00Z"

const isSince = (seen: FactValue, from: DateTime.Utc) => DateTime.isDateTime(seen) && !DateTime.isLessThan(seen, from)

const isWithinLast =
  (unit: "days" | "minutes") =>
  (count: number): FactTest =>
  (seen, now) =>
    isSince(seen, DateTime.subtract(now, { [unit]: count }))

/** Operators for a time. */
export const timeOperators: FactOperators = {
  before: makeTestReader(
    Timestamp,
    timeMessage,
    (at) => (seen) => DateTime.isDateTime(seen) && DateTime.isLessThan(seen, at)
  ),
  since: makeTestReader(Timestamp, timeMessage, (at) => (seen) => isSince(seen, at)),
  within_days: makeTestReader(...countOf("days", maxFilterDays), isWithinLast("days")),
  not_within_days: makeTestReader(...countOf("days", maxFilterDays), (count) => not(isWithinLast("days")(count))),
  within_minutes: makeTestReader(...countOf("minutes", maxMinutes), isWithinLast("minutes")),
  ...presence
}
