import { searchTokens } from "@parley/domain/messaging"

/** Maximum length of an indexed word. */
const mostOfWord = 120

const cut = (word: string): string => Array.from(word).slice(0, mostOfWord).join("")

/** Search words of a message, without duplicates. */
export const spokenWords = (text: string): ReadonlyArray<string> => [...new Set(searchTokens(text).map(cut))]

/** Query for messages with all of these words, matched by prefix. Words contain no characters to escape. */
export const wordsQuery = (words: ReadonlyArray<string>): string =>
  words.map((word) => `'${cut(word).replaceAll("'", "''").replaceAll("\\", "\\\\")}':*`).join(" & ")
