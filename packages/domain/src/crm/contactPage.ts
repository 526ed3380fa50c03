import { Effect, Result } from "effect"
import { beginningOf, type CursorInvalid, type Page, type PageRequest } from "../kernel/index.ts"
import type { ContactQuery, ContactSort } from "./Contacts.ts"
import { type ContactListRequest, contactFilter } from "./filter/contactFilter.ts"
import { type Search, searchOf } from "./search.ts"
import { nearTo } from "./spellings.ts"

/** The list's name, for its cursors: one list's cursor is none of another's, and that of near matches none of exact ones. */
const nameOf = (sort: ContactSort, search: Search | null) =>
  `contacts/${sort}${search === null ? "" : `/${search.kind}`}`

/** Reads a page of the list of this name. */
type ReadPage<A, R> = (list: string, query: ContactQuery, page: PageRequest) => Effect.Effect<Page<A>, CursorInvalid, R>

/** A page of contacts. Those whom a search finds as it was typed come first, and then those whom it finds with typing errors corrected. */
export const contactPage = Effect.fnUntraced(function* <A, R>(
  request: ContactListRequest,
  page: PageRequest,
  readPage: ReadPage<A, R>
) {
  const filter = yield* contactFilter(request)
  const sort = request.sort ?? "-createdAt"
  const read = (search: Search | null, page: PageRequest) =>
    readPage(nameOf(sort, search), { filter, search, sort }, page)

  const search = request.q === undefined ? null : searchOf(request.q)
  if (search === null) return yield* read(null, page)
  const typed = yield* Effect.result(read(search, page))
  if (Result.isFailure(typed)) {
    // A cursor that was given out among near matches goes on among them.
    const near = page.cursor === null ? null : yield* nearTo(search)
    return near === null ? yield* Effect.fromResult(typed) : yield* read(near, page)
  }
  const exact = typed.success
  const near = exact.nextCursor === null ? yield* nearTo(search) : null
  if (near === null) return exact
  const left = page.limit - exact.data.length
  const more = yield* read(near, { limit: Math.max(left, 1), cursor: null })
  if (left > 0) return { data: [...exact.data, ...more.data], nextCursor: more.nextCursor }
  const isOver = more.data.length === 0 && more.nextCursor === null
  return isOver ? exact : { data: exact.data, nextCursor: yield* beginningOf(nameOf(sort, near)) }
})
