import { Effect, Result } from "effect"
import { pagedWithin, type PageRequest, useCase } from "../../kernel/index.ts"
import { contactKey } from "../contactKey.ts"
import { Contacts, type ContactSort } from "../Contacts.ts"
import { distance, type Search, searchOf, typosIn } from "../search.ts"
import { type ContactListRequest, contactFilter } from "../filter/contactFilter.ts"

/** The search as it was meant, if each word of it that is in nobody's name looks like one that is. */
const corrected = Effect.fnUntraced(function* (search: Search) {
  if (search.kind === "beginning") return null
  const contacts = yield* Contacts
  const words = yield* Effect.forEach(search.words, (word) =>
    typosIn(word) === 0 || /\d/u.test(word)
      ? Effect.succeed(word)
      : Effect.map(contacts.wordsLike(word), (like) => nearest(word, like) ?? word)
  )
  return words.every((word, index) => word === search.words[index]) ? null : ({ kind: "words", words } as const)
})

const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const most = typosIn(word)
  const near = candidates
    .map((candidate) => ({ candidate, far: distance(word, candidate, most) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, other) => one.far - other.far)
  return near[0]?.candidate ?? null
}

/** The list's name, for its cursors: one list's cursor is none of another's, and a correction's none of what was typed. */
const nameOf = (sort: ContactSort, search: Search | null, spelling: "typed" | "corrected") =>
  `contacts/${sort}${search === null ? "" : `/${search.kind}/${spelling}`}`

/** Reads contacts. A search that finds nobody is tried once more with its typing errors corrected, and goes on so. */
export const listContacts = useCase(
  "contacts.list",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (request: ContactListRequest, page: PageRequest) {
    const contacts = yield* Contacts
    const filter = yield* contactFilter(request)
    const sort = request.sort ?? "-createdAt"
    const read = (search: Search | null, spelling: "typed" | "corrected" = "typed") =>
      pagedWithin(
        nameOf(sort, search, spelling),
        page,
        (slice) => contacts.list({ filter, search, sort }, slice),
        (contact) => contactKey(sort, contact)
      )

    const search = request.q === undefined ? null : searchOf(request.q)
    if (search === null) return yield* read(null)
    const typed = yield* Effect.result(read(search))
    // A first page that has nobody, or a cursor that another spelling gave out, is for the correction.
    const isCorrected = Result.isFailure(typed)
      ? page.cursor !== null
      : page.cursor === null && typed.success.data.length === 0 && typed.success.nextCursor === null
    const other = isCorrected ? yield* corrected(search) : null
    return other === null ? yield* Effect.fromResult(typed) : yield* read(other, "corrected")
  })
)
