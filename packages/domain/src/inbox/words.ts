import { foldName } from "../crm/index.ts"

/** The most words of a search that count. */
const mostWords = 5

/** The words of a text, in small letters. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  foldName(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")

/** What to look for in messages when somebody has typed this; `null` if there is nothing to look for. */
export const searchedWords = (typed: string): ReadonlyArray<string> | null => {
  const words = [...new Set(wordsIn(typed))].slice(0, mostWords)
  return words.length === 0 ? null : words
}
