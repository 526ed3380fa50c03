import { foldName } from "../crm/index.ts"
import type { Message } from "./Message.ts"

/** The most words of a search that count. */
const mostWords = 5

/** The words of a text, in small letters. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  foldName(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")

/** What is said in a message, in all of its parts. */
export const spokenIn = ({ contacts, location, order, referral, text }: Message): string =>
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
