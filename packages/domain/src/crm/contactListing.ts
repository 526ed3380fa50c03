import { DateTime, Effect } from "effect"
import { type CursorInvalid, type Page, pagedPartial, type PageRequest } from "../kernel/index.ts"
import type { Contact, ContactExpansion, ExpandedContact } from "./Contact.ts"
import { type ContactQuery, Contacts, type ContactSort } from "./Contacts.ts"
import { Tags } from "./Tags.ts"
import { normalizeName, type ContactSearch, parseContactSearch } from "./contactSearch.ts"
import { buildContactFilter, type ContactListRequest } from "./filter/contactFilter.ts"
import { correctedSearch, loadSearchedPage } from "./searchPages.ts"

/** Builds the variants of a search with corrected typing errors; `null` if none exist. */
export const fuzzyVariants = Effect.fnUntraced(function* (search: ContactSearch) {
  const { wordsLike } = yield* Contacts
  return yield* correctedSearch(search, wordsLike)
})

/** Returns the cursor key of a contact in this order: a text that sorts by code points, and the id. */
export const contactCursorKey = (
  sort: ContactSort,
  contact: Pick<Contact, "id" | "lastSeenAt" | "name">
): ReadonlyArray<string> => {
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [contact.id]
    case "name":
    case "-name":
      return [contact.name === null ? "" : normalizeName(contact.name), contact.id]
    case "lastSeenAt":
    case "-lastSeenAt":
      return [contact.lastSeenAt === null ? "" : DateTime.formatIso(contact.lastSeenAt), contact.id]
  }
}

/** Name of the list for its cursors. A cursor is valid for one list only; near and exact matches are different lists. */
const listName = (sort: ContactSort, search: ContactSearch | null) =>
  `contacts/${sort}${search === null ? "" : `/${search.kind}`}`

/** Reads one page of the list with this name. */
type ReadPage<A, R> = (list: string, query: ContactQuery, page: PageRequest) => Effect.Effect<Page<A>, CursorInvalid, R>

/** Loads a page of contacts. Exact matches of a search come first, followed by matches with corrected typing errors. */
export const loadContactPage = Effect.fnUntraced(function* <A, R>(
  request: ContactListRequest,
  page: PageRequest,
  readPage: ReadPage<A, R>
) {
  const filter = yield* buildContactFilter(request)
  const sort = request.sort ?? "-createdAt"
  const { wordsLike } = yield* Contacts
  const nameOf = (search: ContactSearch | null) => listName(sort, search)
  return yield* loadSearchedPage(
    { nameOf, wordsLike, read: (search, page) => readPage(nameOf(search), { filter, search, sort }, page) },
    request.q === undefined ? null : parseContactSearch(request.q),
    page
  )
})

/** Adds the requested related resources to contacts. Each kind is read once for all contacts. */
export const expandContacts = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ExpandedContact>,
  expand: ReadonlyArray<ContactExpansion>
) {
  if (!expand.includes("tags") || rows.length === 0) return rows
  const found = yield* (yield* Tags).find([...new Set(rows.flatMap(({ tags }) => tags))])
  const tags = new Map(found.map((tag) => [tag.id, tag]))
  return rows.map((row) => ({ ...row, expanded: { tags: row.tags.flatMap((id) => tags.get(id) ?? []) } }))
})

/** Loads a page of contacts with the requested related resources. */
export const loadExpandedContactPage = Effect.fnUntraced(function* (request: ContactListRequest, page: PageRequest) {
  const contacts = yield* Contacts
  return yield* loadContactPage(
    request,
    page,
    Effect.fnUntraced(function* (list, query, page) {
      const { data, nextCursor } = yield* pagedPartial(
        list,
        page,
        (slice) => contacts.list(query, slice),
        (contact) => contactCursorKey(query.sort, contact)
      )
      return { data: yield* expandContacts(data, request.expand ?? []), nextCursor }
    })
  )
})
