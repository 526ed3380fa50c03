import { searchTokens } from "@parley/domain"

/** How much of a word counts. */
const mostOfWord = 120

const cut = (word: string): string => Array.from(word).slice(0, mostOfWord).join("")

/** What messages are found by, each word once. */
export const spokenWords = (text: string): ReadonlyArray<string> => [...new Set(searchTokens(text).map(cut))]

/** Finds what has all of these words, each from its beginning. Words have no signs in them that would have to be escaped. */
export const wordsQuery = (words: ReadonlyArray<string>): string =>
  words.map((word) => `'${cut(word).replaceAll("'", "''").replaceAll("\\", "\\\\")}':*`).join(" & ")
