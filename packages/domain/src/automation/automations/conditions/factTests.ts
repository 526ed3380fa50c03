import { DateTime, Option, Result, Schema } from "effect"
import { mostFilterDays } from "../../../crm/index.ts"
import { foldText, Money, Timestamp } from "../../../kernel/index.ts"
import { Prose } from "../../../platform/identity/index.ts"
import type { FactValue } from "../facts/Facts.ts"

/** Whether something holds of what is seen at this time. */
export type FactTest = (seen: FactValue, now: DateTime.Utc) => boolean

/** Reads the value of a condition, or tells what is wrong with it. */
export type ReadTest = (value: Schema.Json | undefined) => Result.Result<FactTest, string>

/** How the conditions of a field are read, by their operators. */
export type FactOperators = Readonly<Record<string, ReadTest>>

const reading =
  <A>(schema: Schema.Codec<A, unknown>, message: string, testOf: (value: A) => FactTest): ReadTest =>
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
  (test: FactTest): ReadTest =>
  (value) =>
    value === undefined ? Result.succeed(test) : Result.fail("This operator takes no value")

const presence: FactOperators = { is_set: withoutValue(isSet), is_not_set: withoutValue(not(isSet)) }

const upTo50 = <A>(schema: Schema.Codec<A, unknown>) => Schema.Array(schema).check(Schema.isBetweenLength(1, 50))

const Text = Prose.check(Schema.isBetweenCodePoints(1, 200))
const [oneText, someTexts] = ["Expected a text of 1 to 200 characters", "Expected 1 to 50 texts"]

/** One of several words or ids that it may be. */
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
    is: reading(schema, one, (value) => among([value])),
    is_not: reading(schema, one, (value) => not(among([value]))),
    any_of: reading(upTo50(schema), some, among),
    ...presence
  }
}

/** A text; `spelled` is how it is compared. */
export const textOperators = (spelled: (text: string) => string): FactOperators => {
  const is =
    (values: ReadonlyArray<string>): FactTest =>
    (seen) =>
      typeof seen === "string" && values.some((value) => spelled(value) === spelled(seen))
  return {
    is: reading(Text, oneText, (value) => is([value])),
    is_not: reading(Text, oneText, (value) => not(is([value]))),
    any_of: reading(upTo50(Text), someTexts, is),
    contains: reading(
      Text,
      oneText,
      (value) => (seen) => typeof seen === "string" && spelled(seen).includes(spelled(value))
    ),
    starts_with: reading(
      Text,
      oneText,
      (value) => (seen) => typeof seen === "string" && spelled(seen).startsWith(spelled(value))
    ),
    ...presence
  }
}

const parts = (text: string): string =>
  ` ${foldText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== "")
    .join(" ")} `

const hasLetters = (word: string) => parts(word).trim() !== ""

const Words = upTo50(Text.check(Schema.makeFilter(hasLetters)))

/** A text that somebody has written: its words may be looked for. */
export const spokenOperators: FactOperators = {
  ...textOperators(foldText),
  has_word: reading(Words, "Expected 1 to 50 words", (words) => (seen) => {
    const said = typeof seen === "string" ? parts(seen) : ""
    return words.some((word) => said.includes(parts(word)))
  })
}

/** Several of something. */
export const listOperators = <A extends string>(schema: Schema.Codec<A, unknown>, some: string): FactOperators => {
  const listed = (seen: FactValue): ReadonlyArray<string> => (Array.isArray(seen) ? seen : [])
  const several = upTo50(schema)
  const anyOf =
    (values: ReadonlyArray<string>): FactTest =>
    (seen) =>
      values.some((value) => listed(seen).includes(value))
  return {
    any_of: reading(several, some, anyOf),
    all_of: reading(several, some, (values) => (seen) => values.every((value) => listed(seen).includes(value))),
    none_of: reading(several, some, (values) => not(anyOf(values)))
  }
}

/** How two amounts of the same thing compare. */
const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  is: (one, other) => one === other,
  lt: (one, other) => one < other,
  lte: (one, other) => one <= other,
  gt: (one, other) => one > other,
  gte: (one, other) => one >= other
}

const comparing = <A>(
  schema: Schema.Codec<A, unknown>,
  message: string,
  amountsOf: (seen: FactValue, value: A) => readonly [number, number] | null
): FactOperators =>
  Object.fromEntries(
    Object.entries(comparisons).map(([op, holds]) => [
      op,
      reading(schema, message, (value) => (seen) => {
        const amounts = amountsOf(seen, value)
        return amounts !== null && holds(...amounts)
      })
    ])
  )

const most = 1_000_000_000

/** How many there are. */
export const countOperators: FactOperators = comparing(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most })),
  `Expected a whole number from 0 to ${most}`,
  (seen, value) => (typeof seen === "number" ? [seen, value] : null)
)

const isMoney = Schema.is(Money)

/** An amount of money: in another currency nothing holds of it. */
export const moneyOperators: FactOperators = comparing(
  Money,
  'Expected an amount such as { "amountMinor": 5000, "currency": "EUR" }',
  (seen, { amountMinor, currency }) =>
    isMoney(seen) && seen.currency === currency ? [seen.amountMinor, amountMinor] : null
)

/** Yes or no. */
export const yesOrNoOperators: FactOperators = {
  is: reading(Schema.Boolean, "Expected true or false", (value) => (seen) => seen === value)
}

const mostMinutes = mostFilterDays * 24 * 60

const countOf = (unit: string, maximum: number) =>
  [
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })),
    `Expected a whole number of ${unit} from 1 to ${maximum}`
  ] as const

const aTime = "Expected a time such as 2026-03-01T09:30:00Z"

const since = (seen: FactValue, from: DateTime.Utc) => DateTime.isDateTime(seen) && !DateTime.isLessThan(seen, from)

const within =
  (unit: "days" | "minutes") =>
  (count: number): FactTest =>
  (seen, now) =>
    since(seen, DateTime.subtract(now, { [unit]: count }))

/** When something happened. */
export const timeOperators: FactOperators = {
  before: reading(Timestamp, aTime, (at) => (seen) => DateTime.isDateTime(seen) && DateTime.isLessThan(seen, at)),
  since: reading(Timestamp, aTime, (at) => (seen) => since(seen, at)),
  within_days: reading(...countOf("days", mostFilterDays), within("days")),
  not_within_days: reading(...countOf("days", mostFilterDays), (count) => not(within("days")(count))),
  within_minutes: reading(...countOf("minutes", mostMinutes), within("minutes")),
  ...presence
}
