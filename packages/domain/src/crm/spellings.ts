import { Effect } from "effect"
import { Contacts } from "./Contacts.ts"
import { distance, type Search, typosIn } from "./search.ts"

/** How many other spellings of a word are looked for. */
const mostSpellings = 4

/** Words of names that this one may have been meant to be, the likest first. */
const spellingsOf = Effect.fnUntraced(function* (word: string) {
  const most = typosIn(word)
  if (most === 0 || /\d/u.test(word)) return []
  return (yield* (yield* Contacts).wordsLike(word))
    .filter((other) => other !== word)
    .map((other) => ({ other, far: distance(word, other, most) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, two) => one.far - two.far)
    .slice(0, mostSpellings)
    .map(({ other }) => other)
})

/** What may have been meant by the search beside what was typed; `null` if nothing else can be. */
export const nearTo = Effect.fnUntraced(function* (search: Search) {
  if (search.kind !== "words") return null
  const spellings = yield* Effect.forEach(search.words, (word) =>
    Effect.map(spellingsOf(word), (others) => [word, ...others])
  )
  return spellings.every(({ length }) => length === 1) ? null : ({ kind: "near", spellings } as const)
})
