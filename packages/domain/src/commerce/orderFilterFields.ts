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

/** Builds a condition on the store data of contacts, with its comparison values. */
export const knownCondition =
  (condition: string) =>
  (...values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

/** Operators of an amount that each contact has. A contact without orders has the amount 0. */
const amountOperators = <A>(
  schema: Schema.Codec<A, unknown>,
  message: string,
  /** Contacts with at least this amount. */
  atLeast: (value: A) => Filter,
  /** Contacts with more than this amount. */
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

/** Number of counted orders of a contact, in all stores. */
export const orderCountField = defineFilterField({
  name: "orderCount",
  type: "integer",
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

/** Contacts without orders have no stored amount in a currency. For amounts up to 0, the filter therefore negates "spent below". */
const spentAtLeast = (currency: string, amountMinor: number): Filter =>
  amountMinor > 0 ? atLeastOf(currency, String(amountMinor)) : negateFilter(belowOf(currency, String(amountMinor)))

/** Amount that a contact has spent in one currency, in all stores. */
export const spentField = defineFilterField({
  name: "spent",
  type: "money",
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

/** Defines a field with the time of an event of a contact in a store. */
const timeField = <const Event extends string>(
  name: string,
  event: Event
): ContactFilterField<TimeCondition<Event>, never> =>
  defineFilterField({
    name,
    type: "time",
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

/** Time of the first counted order of a contact. */
export const firstOrderAtField = timeField("firstOrderAt", "first_order")

/** Time of the last counted order of a contact. */
export const lastOrderAtField = timeField("lastOrderAt", "last_order")

/** Time of the last abandoned cart of a contact. The cart can have been ordered later. */
export const cartAbandonedAtField = timeField("cartAbandonedAt", "cart_abandoned")
