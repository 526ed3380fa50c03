import { Effect, Result } from "effect"
import { beginningOf, pagedWithin, type PageRequest, useCase } from "../../kernel/index.ts"
import { contactKey } from "../contactKey.ts"
import { Contacts, type ContactSort } from "../Contacts.ts"
import { type Search, searchOf } from "../search.ts"
import { expandContacts } from "../expandContacts.ts"
import { nearTo } from "../spellings.ts"
import { type ContactListRequest, contactFilter } from "../filter/contactFilter.ts"

/** The list's name, for its cursors: one list's cursor is none of another's, and that of near matches none of exact ones. */
const nameOf = (sort: ContactSort, search: Search | null) =>
  `contacts/${sort}${search === null ? "" : `/${search.kind}`}`

/** Reads contacts. Those whom a search finds as it was typed come first, and then those whom it finds with typing errors corrected. */
export const listContacts = useCase(
  "contacts.list",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (request: ContactListRequest, page: PageRequest) {
    const contacts = yield* Contacts
    const filter = yield* contactFilter(request)
    const sort = request.sort ?? "-createdAt"
    const read = Effect.fnUntraced(function* (search: Search | null, page: PageRequest) {
      const { data, nextCursor } = yield* pagedWithin(
        nameOf(sort, search),
        page,
        (slice) => contacts.list({ filter, search, sort }, slice),
        (contact) => contactKey(sort, contact)
      )
      return { data: yield* expandContacts(data, request.expand ?? []), nextCursor }
    })

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
)
