import type { Fault } from "../../../../kernel/index.ts"
import { foldWord } from "./foldWord.ts"
import { builtInMeaning, type WordMeaning } from "./wordOf.ts"
import type { WordList, WordLists } from "./WordLists.ts"

interface Placed {
  readonly word: string
  readonly pointer: string
  readonly meaning: WordMeaning
}

const placed = (name: string, meaning: WordMeaning, list: WordList): ReadonlyArray<Placed> =>
  Object.entries(list).flatMap(([language, words]) =>
    words.map((word, at) => ({ word: foldWord(word), pointer: `/${name}/${language}/${at}`, meaning }))
  )

const shortestWord = 2

const faultOf = ({ meaning, word }: Placed, out: ReadonlySet<string>): string | null => {
  if (Array.from(word).length < shortestWord) return "Expected at least 2 letters or digits: marks do not count"
  const builtIn = builtInMeaning(word)
  if (builtIn !== null && builtIn !== meaning) {
    return builtIn === "opt_out"
      ? "This word opts out everywhere, so it cannot opt in"
      : "This word opts in everywhere, so it cannot opt out"
  }
  return meaning === "opt_in" && out.has(word) ? "This word is also one that opts out" : null
}

/** What a schema cannot say of an organization's words, each with where it is in the settings. */
export const faultsOfWords = ({ optInWords, optOutWords }: WordLists): ReadonlyArray<Fault> => {
  const optOut = placed("optOutWords", "opt_out", optOutWords)
  const out = new Set(optOut.map(({ word }) => word))
  return [...optOut, ...placed("optInWords", "opt_in", optInWords)].flatMap((each) => {
    const message = faultOf(each, out)
    return message === null ? [] : [{ pointer: each.pointer, message }]
  })
}
