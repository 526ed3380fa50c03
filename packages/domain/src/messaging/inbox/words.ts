import { foldText } from "../../kernel/index.ts"
import type { Message } from "./Message.ts"

/** The most words of a search that count. */
const mostWords = 5

/** Runs of scripts whose words are found in the middle of others, by two characters of them. */
const runs = /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+)/u

/** Each two characters that follow each other, and the last one, which may be the beginning of two. */
const pairsOf = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  return characters.map((character, place) => character + (characters[place + 1] ?? ""))
}

/** The words of a text, folded. Where words are not parted by spaces, they are pairs of characters. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  foldText(text)
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => word.split(runs).flatMap((part, place) => (place % 2 === 1 ? pairsOf(part) : [part])))
    .filter((word) => word !== "")

/** The parts of a message in which something is said. */
export type Spoken = Pick<Message, "contacts" | "location" | "order" | "referral" | "text">

/** What is said in a message, in all of its parts. */
export const spokenIn = ({ contacts, location, order, referral, text }: Spoken): string =>
  [
    text,
    ...(contacts ?? []).flatMap(({ name, phones }) => [name, ...phones]),
    location?.name,
    location?.address,
    ...(order?.items ?? []).map(({ productId }) => productId),
    referral?.headline,
    referral?.body
  ]
    .filter((part) => part !== null && part !== undefined)
    .join("\n")

/** What to look for in messages when somebody has typed this; `null` if there is nothing to look for. */
export const searchedWords = (typed: string): ReadonlyArray<string> | null => {
  const words = [...new Set(wordsIn(typed))].slice(0, mostWords)
  return words.length === 0 ? null : words
}
