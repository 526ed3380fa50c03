import type { Slice } from "@parley/domain/kernel"
import { DateTime, Order } from "effect"
import { byKeys } from "./byCodePoints.ts"

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

/** Returns at most `limit` rows after the key (an encoded time and an id), newest first. */
export const newestFirst = <A extends { readonly at: DateTime.Utc; readonly id: string }>(
  rows: ReadonlyArray<A>,
  { after, limit }: Slice
): ReadonlyArray<A> => {
  const keyOf = ({ at, id }: A): ReadonlyArray<string> => [DateTime.formatIso(at), id]
  return rows
    .filter((row) => after === null || byKeys(keyOf(row), after) < 0)
    .toSorted(Order.flip(Order.mapInput(byKeys, keyOf)))
    .slice(0, limit)
}

/** Returns at most `limit` rows after the key, in this sort order; a minus is descending. */
export const inSortOrder = <A>(
  rows: ReadonlyArray<A>,
  sort: string,
  keyOf: (row: A) => ReadonlyArray<string>,
  { after, limit }: Slice
): ReadonlyArray<A> => {
  const ascending: Order.Order<A> = Order.mapInput(byKeys, keyOf)
  const isDescending = sort.startsWith("-")
  return rows
    .filter((row) => after === null || byKeys(keyOf(row), after) * (isDescending ? -1 : 1) > 0)
    .toSorted(isDescending ? Order.flip(ascending) : ascending)
    .slice(0, limit)
}
