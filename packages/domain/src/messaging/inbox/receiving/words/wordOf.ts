import type { Message } from "../../Message.ts"
import { builtInWords } from "./builtInWords.ts"
import { foldWord, foldWords } from "./foldWord.ts"
import type { WordList, WordLists } from "./WordLists.ts"

/** What a word says. */
export type WordMeaning = "opt_out" | "opt_in"

const folded = (words: ReadonlyArray<string>): ReadonlySet<string> => new Set(foldWords(words))

const builtInOut: ReadonlySet<string> = folded(builtInWords.flatMap(({ optOut }) => optOut))
const builtInIn: ReadonlySet<string> = folded(builtInWords.flatMap(({ optIn }) => optIn))

/** With all marks round it. Whoever writes more has written no word. */
const longestMessage = 200

const isAmong = (list: WordList, word: string) => foldWords(Object.values(list).flat()).includes(word)

/** What the word says that is written so without capitals, accents and marks, if it is a built-in one. */
export const builtInMeaning = (word: string): WordMeaning | null => {
  if (builtInOut.has(word)) return "opt_out"
  return builtInIn.has(word) ? "opt_in" : null
}

/**
 * What a message says if it is nothing but one of the words, of any language: capitals, accents and marks do not matter, other words
 * do. An organization that has a word in both of its lists is taken at the one by which nobody is written to against their will.
 */
export const wordOf = (text: string | null, { optInWords, optOutWords }: WordLists): WordMeaning | null => {
  if (text === null || text.length > longestMessage) return null
  const word = foldWord(text)
  if (word === "") return null
  const meaning = builtInMeaning(word)
  if (meaning !== null) return meaning
  if (isAmong(optOutWords, word)) return "opt_out"
  return isAmong(optInWords, word) ? "opt_in" : null
}

/** What a message says about marketing, if it is nothing but one of the words. */
export const meaningOf = ({ kind, text }: Pick<Message, "kind" | "text">, lists: WordLists): WordMeaning | null =>
  kind === "text" || kind === "interactive" || kind === "edit" ? wordOf(text, lists) : null
