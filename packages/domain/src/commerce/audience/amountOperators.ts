import type { Schema } from "effect"
import { type Filter, negated, type Operators, valueReader } from "../../crm/index.ts"

/** The operators of an amount that everybody has: whoever has ordered nothing has none of it, which is 0. */
export const amountOperators = <A>(
  schema: Schema.Codec<A, unknown>,
  message: string,
  /** Those who have so much at least. */
  atLeast: (value: A) => Filter,
  /** Those who have more than that. */
  above: (value: A) => Filter
): Operators => {
  const read = valueReader(schema, message)
  return {
    is: (given, fail) => read(given, fail, (value) => ({ kind: "all", of: [atLeast(value), negated(above(value))] })),
    lt: (given, fail) => read(given, fail, (value) => negated(atLeast(value))),
    lte: (given, fail) => read(given, fail, (value) => negated(above(value))),
    gt: (given, fail) => read(given, fail, above),
    gte: (given, fail) => read(given, fail, atLeast)
  }
}
