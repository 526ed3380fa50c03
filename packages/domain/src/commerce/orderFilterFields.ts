import { DateTime, Effect, Schema } from "effect"
import {
  type ContactFilterField,
  defineFilterField,
  anyContact,
  type Filter,
  negateFilter,
  type OperatorReaders,
  timeOperators,
  valueReader
} from "../crm/index.ts"
import { Money } from "../kernel/index.ts"

/** What this area knows of contacts, as a condition with the values that it compares with. */
export const knownCondition =
  (condition: string) =>
  (...values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

/** The operators of an amount that everybody has: whoever has ordered nothing has none of it, which is 0. */
const amountOperators = <A>(
  schema: Schema.Codec<A, unknown>,
  message: string,
  /** Those who have so much at least. */
  atLeast: (value: A) => Filter,
  /** Those who have more than that. */
  above: (value: A) => Filter
): OperatorReaders => {
  const read = valueReader(schema, message)
  return {
    is: (given, fail) =>
      read(given, fail, (value) => ({ kind: "all", of: [atLeast(value), negateFilter(above(value))] })),
    lt: (given, fail) => read(given, fail, (value) => negateFilter(atLeast(value))),
    lte: (given, fail) => read(given, fail, (value) => negateFilter(above(value))),
    gt: (given, fail) => read(given, fail, above),
    gte: (given, fail) => read(given, fail, atLeast)
  }
}

const maxCount = 1_000_000_000

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxCount }))

const orderedAtLeast = (count: number): Filter =>
  count === 0 ? anyContact : knownCondition("ordered_at_least")(String(count))

/** How many orders of a contact count, in all stores. */
export const orderCountField = defineFilterField({
  name: "orderCount",
  permission: "commerce.read",
  conditions: ["ordered_at_least"],
  operators: () =>
    amountOperators(Count, `Expected a whole number from 0 to ${maxCount}`, orderedAtLeast, (count) =>
      orderedAtLeast(count + 1)
    ),
  names: null,
  find: () => Effect.succeed([])
})

const [atLeastOf, belowOf] = [knownCondition("spent_at_least"), knownCondition("spent_below")]

/** Who has spent nothing in a currency is not known to have: they are those who have not spent less than nothing. */
const spentAtLeast = (currency: string, amountMinor: number): Filter =>
  amountMinor > 0 ? atLeastOf(currency, String(amountMinor)) : negateFilter(belowOf(currency, String(amountMinor)))

/** What a contact has spent in one currency, in all stores. */
export const spentField = defineFilterField({
  name: "spent",
  permission: "commerce.read",
  conditions: ["spent_at_least", "spent_below"],
  operators: () =>
    amountOperators(
      Money,
      'Expected an amount such as { "amountMinor": 5000, "currency": "EUR" }',
      ({ amountMinor, currency }) => spentAtLeast(currency, amountMinor),
      ({ amountMinor, currency }) => spentAtLeast(currency, amountMinor + 1)
    ),
  names: null,
  find: () => Effect.succeed([])
})

type TimeCondition<Event extends string> = `${Event}_ever` | `${Event}_before` | `${Event}_since`

/** A field that is a time at which something happened with a contact in a store. */
const timeField = <const Event extends string>(
  name: string,
  event: Event
): ContactFilterField<TimeCondition<Event>, never> =>
  defineFilterField({
    name,
    permission: "commerce.read",
    conditions: [`${event}_ever`, `${event}_before`, `${event}_since`],
    operators: (now) =>
      timeOperators(
        {
          set: knownCondition(`${event}_ever`)(),
          before: (at) => knownCondition(`${event}_before`)(DateTime.formatIso(at)),
          since: (at) => knownCondition(`${event}_since`)(DateTime.formatIso(at))
        },
        now
      ),
    names: null,
    find: () => Effect.succeed([])
  })

/** When a contact placed the first order that counts. */
export const firstOrderAtField = timeField("firstOrderAt", "first_order")

/** When a contact placed the last order that counts. */
export const lastOrderAtField = timeField("lastOrderAt", "last_order")

/** When a contact abandoned a cart last, whether or not something was ordered from it later. */
export const cartAbandonedAtField = timeField("cartAbandonedAt", "cart_abandoned")
