import { normalizeForSearch, NotFound, type Slice } from "@parley/domain/kernel"
import type { CommerceQuery } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap } from "effect"
import { descending } from "../store/slice.ts"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

/** Fields of a record that lists use. */
export interface Listed {
  readonly id: string
  readonly storeConnectionId: string
  readonly contactId: string | null
  readonly updatedAt: DateTime.Utc
  readonly search: string
}

/** Returns whether a record has the store, the contact and the time of the last change. */
export const hasLinks = (
  row: Omit<Listed, "search">,
  { contactId, storeConnectionId, updatedSince }: Omit<CommerceQuery, "q">
) =>
  (storeConnectionId === null || row.storeConnectionId === storeConnectionId) &&
  (contactId === null || row.contactId === contactId) &&
  (updatedSince === null || DateTime.isGreaterThanOrEqualTo(row.updatedAt, updatedSince))

const matches = (row: Listed, { q, ...links }: CommerceQuery) =>
  hasLinks(row, links) && (q === null || row.search.includes(normalizeForSearch(q)))

/** Read access to the records of one kind. */
export const readingRecords = <Kept>(
  resource: string,
  rowsOf: (tenant: Tenant) => ReadonlyArray<Kept>,
  listed: (kept: Kept) => Listed
) => ({
  get: (id: string) =>
    Effect.flatMap(Store, (store) =>
      Effect.filterOrFail(
        store.readTenant((tenant) => rowsOf(tenant).find((row) => listed(row).id === id) ?? null),
        (kept) => kept !== null,
        () => new NotFound({ resource })
      )
    ),
  list: (query: CommerceQuery, slice: Slice, isWanted: (kept: Kept) => boolean = () => true) =>
    Effect.flatMap(Store, (store) =>
      store.readTenant((tenant) =>
        descending(
          rowsOf(tenant).filter((row) => matches(listed(row), query) && isWanted(row)),
          (row) => listed(row).id,
          slice
        )
      )
    )
})

/** The table with these rows, each under its key. */
export const withRows = <Id, Row>(
  table: HashMap.HashMap<Id, Row>,
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => Id
): HashMap.HashMap<Id, Row> => rows.reduce((all, row) => HashMap.set(all, keyOf(row), row), table)
