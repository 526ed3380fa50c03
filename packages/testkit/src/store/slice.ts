import type { Slice } from "@parley/domain"
import { Order } from "effect"

const byKey = <A>(keyOf: (row: A) => string): Order.Order<A> => Order.mapInput(Order.String, keyOf)

/** At most `limit` of the rows after the key, the smallest key first. */
export const ascending = <A>(rows: Iterable<A>, keyOf: (row: A) => string, slice: Slice): ReadonlyArray<A> => {
  const after = slice.after?.[0]
  return Array.from(rows)
    .filter((row) => after === undefined || keyOf(row) > after)
    .toSorted(byKey(keyOf))
    .slice(0, slice.limit)
}

/** At most `limit` of the rows after the key, the largest key first. */
export const descending = <A>(rows: Iterable<A>, keyOf: (row: A) => string, slice: Slice): ReadonlyArray<A> => {
  const after = slice.after?.[0]
  return Array.from(rows)
    .filter((row) => after === undefined || keyOf(row) < after)
    .toSorted(Order.flip(byKey(keyOf)))
    .slice(0, slice.limit)
}
