import { Effect, Result } from "effect"
import { type CursorInvalid, type Page, type PageRequest, startCursor } from "../kernel/index.ts"
import { type ContactSearch, editDistance, maxTypos } from "./contactSearch.ts"

/** Maximum number of other spellings searched for a word. */
const maxSpellings = 4

/** Finds stored words that resemble a word. Dissimilar words can be among them. */
type WordsLike<R> = (word: string) => Effect.Effect<ReadonlyArray<string>, never, R>

/** Finds spellings of a word, most similar first. */
const findSpellings = Effect.fnUntraced(function* <R>(word: string, wordsLike: WordsLike<R>) {
  const most = maxTypos(word)
  if (most === 0 || /\d/u.test(word)) return []
  return (yield* wordsLike(word))
    .filter((other) => other !== word)
    .map((other) => ({ other, far: editDistance(word, other, most) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, two) => one.far - two.far)
    .slice(0, maxSpellings)
    .map(({ other }) => other)
})

/** Builds the variants of a search with corrected typing errors; `null` if none exist. */
export const correctedSearch = Effect.fnUntraced(function* <R>(search: ContactSearch, wordsLike: WordsLike<R>) {
  if (search.kind !== "words") return null
  const spellings = yield* Effect.forEach(search.words, (word) =>
    Effect.map(findSpellings(word, wordsLike), (others) => [word, ...others])
  )
  return spellings.every(({ length }) => length === 1) ? null : ({ kind: "near", spellings } as const)
})

/** Reads of a list that can be searched. */
export interface SearchedList<A, R, W> {
  /** Name of the list for its cursors. A cursor is valid for one list only; near and exact matches are different lists. */
  readonly nameOf: (search: ContactSearch | null) => string
  readonly read: (search: ContactSearch | null, page: PageRequest) => Effect.Effect<Page<A>, CursorInvalid, R>
  readonly wordsLike: WordsLike<W>
}

/** Loads a page of a search. Exact matches come first, followed by matches with corrected typing errors. */
export const loadSearchedPage = Effect.fnUntraced(function* <A, R, W>(
  { nameOf, read, wordsLike }: SearchedList<A, R, W>,
  search: ContactSearch | null,
  page: PageRequest
) {
  if (search === null) return yield* read(null, page)
  const typed = yield* Effect.result(read(search, page))
  if (Result.isFailure(typed)) {
    // A cursor of near matches continues among near matches.
    const near = page.cursor === null ? null : yield* correctedSearch(search, wordsLike)
    return near === null ? yield* Effect.fromResult(typed) : yield* read(near, page)
  }
  const exact = typed.success
  const near = exact.nextCursor === null ? yield* correctedSearch(search, wordsLike) : null
  if (near === null) return exact
  const left = page.limit - exact.data.length
  const more = yield* read(near, { limit: Math.max(left, 1), cursor: null })
  if (left > 0) return { data: [...exact.data, ...more.data], nextCursor: more.nextCursor }
  const isOver = more.data.length === 0 && more.nextCursor === null
  return isOver ? exact : { data: exact.data, nextCursor: yield* startCursor(nameOf(near)) }
})
