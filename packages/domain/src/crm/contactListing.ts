import { DateTime, Effect, Result } from "effect"
import { startCursor, type CursorInvalid, type Page, pagedPartial, type PageRequest } from "../kernel/index.ts"
import type { Contact, ContactExpansion, ExpandedContact } from "./Contact.ts"
import { type ContactQuery, Contacts, type ContactSort } from "./Contacts.ts"
import { Tags } from "./Tags.ts"
import { editDistance, normalizeName, type ContactSearch, parseContactSearch, maxTypos } from "./contactSearch.ts"
import { buildContactFilter, type ContactListRequest } from "./filter/contactFilter.ts"

/** Maximum number of other spellings searched for a word. */
const maxSpellings = 4

/** Finds words of names that resemble this one, most similar first. */
const findSpellings = Effect.fnUntraced(function* (word: string) {
  const most = maxTypos(word)
  if (most === 0 || /\d/u.test(word)) return []
  return (yield* (yield* Contacts).wordsLike(word))
    .filter((other) => other !== word)
    .map((other) => ({ other, far: editDistance(word, other, most) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, two) => one.far - two.far)
    .slice(0, maxSpellings)
    .map(({ other }) => other)
})

/** Builds the variants of a search with corrected typing errors; `null` if none exist. */
export const fuzzyVariants = Effect.fnUntraced(function* (search: ContactSearch) {
  if (search.kind !== "words") return null
  const spellings = yield* Effect.forEach(search.words, (word) =>
    Effect.map(findSpellings(word), (others) => [word, ...others])
  )
  return spellings.every(({ length }) => length === 1) ? null : ({ kind: "near", spellings } as const)
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
  const read = (search: ContactSearch | null, page: PageRequest) =>
    readPage(listName(sort, search), { filter, search, sort }, page)

  const search = request.q === undefined ? null : parseContactSearch(request.q)
  if (search === null) return yield* read(null, page)
  const typed = yield* Effect.result(read(search, page))
  if (Result.isFailure(typed)) {
    // A cursor of near matches continues among near matches.
    const near = page.cursor === null ? null : yield* fuzzyVariants(search)
    return near === null ? yield* Effect.fromResult(typed) : yield* read(near, page)
  }
  const exact = typed.success
  const near = exact.nextCursor === null ? yield* fuzzyVariants(search) : null
  if (near === null) return exact
  const left = page.limit - exact.data.length
  const more = yield* read(near, { limit: Math.max(left, 1), cursor: null })
  if (left > 0) return { data: [...exact.data, ...more.data], nextCursor: more.nextCursor }
  const isOver = more.data.length === 0 && more.nextCursor === null
  return isOver ? exact : { data: exact.data, nextCursor: yield* startCursor(listName(sort, near)) }
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
