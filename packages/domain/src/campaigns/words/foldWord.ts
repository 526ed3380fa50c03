import { foldText } from "../../kernel/index.ts"

/** A text without what does not matter in a word: capitals, accents, spaces, marks and what is not seen. */
export const foldWord = (text: string): string => foldText(text).replaceAll(/[\p{P}\p{S}\p{Z}\p{C}]+/gu, "")
