import type { Contact } from "./Contact.ts"
import { foldName } from "./names.ts"

/** The most words of a search that count. */
const mostWords = 5

/** What a search looks for. */
export type Search =
  /** Contacts whose name, e-mail address and phone digits contain every one of these words. */
  | { readonly kind: "words"; readonly words: ReadonlyArray<string> }
  /** Contacts whose name, e-mail address or phone digits begin so: for texts that are too short to be looked for anywhere. */
  | { readonly kind: "beginning"; readonly text: string }

/** What a search for words looks through. A tab parts what must not be found across. */
export const searchText = ({ email, identities, name }: Pick<Contact, "email" | "identities" | "name">): string => {
  const others = identities.filter(({ kind, value }) => kind === "email" && value !== email).map(({ value }) => value)
  const phones = identities.filter(({ kind }) => kind === "phone").map(({ value }) => digitsOf(value))
  return [name === null ? "" : foldName(name), ...phones, email ?? "", ...others]
    .filter((part) => part !== "")
    .join("\t")
}

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, "")

const isPhoneLike = (text: string): boolean => /^[+\d\s()./-]+$/u.test(text) && /\d/u.test(text)

/** Reads what was typed into a search field; `null` if there is nothing to look for. The zeros before a national number are dropped. */
export const searchOf = (typed: string): Search | null => {
  const text = foldName(typed)
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
  if (text === "") return null
  if (isPhoneLike(text)) {
    const digits = digitsOf(text).replace(/^0+(?=\d)/u, "")
    return digits.length < 3 ? { kind: "beginning", text: digits } : { kind: "words", words: [digits] }
  }
  const words = text.split(" ").slice(0, mostWords)
  return words.some((word) => word.length >= 3) ? { kind: "words", words } : { kind: "beginning", text }
}

/** The words of a name that somebody may have misspelled in a search. */
export const nameWords = (name: string | null): ReadonlyArray<string> =>
  name === null
    ? []
    : [
        ...new Set(
          foldName(name)
            .split(/[^\p{L}\p{M}]+/u)
            .filter((word) => word.length >= 3)
        )
      ]

/** How many letters differ, counting two that swapped places once; `most + 1` when there are more than that. */
export const distance = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1)
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      next.push(cost)
    }
    if (Math.min(...next) > most) return most + 1
    beforeLast = last
    last = next
  }
  return Math.min(last[other.length] ?? 0, most + 1)
}

/** How many letters of a word of this length may be wrong. */
export const typosIn = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)
