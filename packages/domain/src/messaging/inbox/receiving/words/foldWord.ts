import { foldText } from "../../../../kernel/index.ts"

/** What does not matter in a word: spaces, marks and what is not seen. The end of a line parts words. */
const marks = /[[\p{P}\p{S}\p{Z}\p{C}]--\n]+/gv

/** Some words without what does not matter in them, all at once: to fold each of thousands takes many times as long. */
export const foldWords = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  foldText(words.join("\n")).replaceAll(marks, "").split("\n")

/** A text without what does not matter in a word: capitals, accents, spaces, marks and what is not seen. */
export const foldWord = (text: string): string => foldText(text).replaceAll(marks, "").replaceAll("\n", "")
