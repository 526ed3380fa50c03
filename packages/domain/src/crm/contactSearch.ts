import { normalizeForSearch, shortWordCharacter } from "../kernel/index.ts"
import type { Contact } from "./Contact.ts"
import { parsePhoneNumber, phoneSearchKey } from "./PhoneNumber.ts"

/** A name without its case: what two names that count as one share. It also sorts names. */
export const normalizeName = (name: string): string => name.normalize("NFC").toLowerCase()

/** The most words of a search that count. */
const maxWords = 5

/** What a search looks for. All texts in it are folded. */
export type ContactSearch =
  /** Contacts whose name, e-mail address and phone digits contain every one of these words. */
  | { readonly kind: "words"; readonly words: ReadonlyArray<string> }
  /** Contacts whose name, e-mail address or phone digits begin so: for texts that are too short to be looked for anywhere. */
  | { readonly kind: "beginning"; readonly text: string }
  /** Contacts that are found by one spelling of each word, but not by the first of each, which was typed. */
  | { readonly kind: "near"; readonly spellings: ReadonlyArray<ReadonlyArray<string>> }

/** What a search for words looks through, folded. A tab parts what must not be found across. */
export const contactSearchText = ({
  email,
  identities,
  name
}: Pick<Contact, "email" | "identities" | "name">): string => {
  const others = identities.filter(({ kind, value }) => kind === "email" && value !== email).map(({ value }) => value)
  // A number that is dialled with another digit than others know it by is found by either.
  const phones = identities
    .filter(({ kind }) => kind === "phone")
    .flatMap(({ value }) => [...new Set([value, phoneSearchKey(value)])].map(digitsOf))
  return [normalizeForSearch(name ?? ""), ...phones, ...[email ?? "", ...others].map(normalizeForSearch)]
    .filter((part) => part !== "")
    .join("\t")
}

/** Whether a search finds whoever has this `searchText`. */
export const matchesSearch = (text: string, search: ContactSearch): boolean => {
  const hasAll = (words: ReadonlyArray<string>) => words.every((word) => text.includes(word))
  switch (search.kind) {
    case "words":
      return hasAll(search.words)
    case "beginning":
      return text.split("\t").some((part) => part.startsWith(search.text))
    case "near":
      return (
        search.spellings.every((spellings) => spellings.some((word) => text.includes(word))) &&
        !hasAll(search.spellings.flatMap((spellings) => spellings.slice(0, 1)))
      )
  }
}

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, "")

const isPhoneLike = (text: string): boolean => /^[+\d\s()./-]+$/u.test(text) && /\d/u.test(text)

/** The digits that a number is stored with: without what is dialled before it or only within a country, in today's spelling. */
const toStoredDigits = (text: string): string => {
  const number = text.replace(/\(0\)/u, "").trim()
  const international = number.replace(/^00/u, "+")
  const whole = international.startsWith("+") ? parsePhoneNumber(international) : null
  return digitsOf(whole ?? number).replace(/^0+(?=\d)/u, "")
}

/** Whether a word is long enough to be looked for anywhere: of some scripts two characters are. */
export const isSearchable = (word: string): boolean =>
  Array.from(word).reduce((length, character) => length + (shortWordCharacter.test(character) ? 2 : 1), 0) >= 3

/** Reads what was typed into a search field; `null` if there is nothing to look for. The zeros before a national number are dropped. */
export const parseContactSearch = (typed: string): ContactSearch | null => {
  const text = normalizeForSearch(typed)
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
  if (text === "") return null
  if (isPhoneLike(text)) {
    const digits = toStoredDigits(text)
    return digits.length < 3 ? { kind: "beginning", text: digits } : { kind: "words", words: [digits] }
  }
  const words = text
    .split(" ")
    .slice(0, maxWords)
    .map((word) => (/^\+?\d+$/u.test(word) ? word.replace(/^\+?0*(?=\d)/u, "") : word))
  return words.some(isSearchable) ? { kind: "words", words } : { kind: "beginning", text }
}

/** The words of a name that somebody may have misspelled in a search, folded. */
export const searchableNameWords = (name: string | null): ReadonlyArray<string> =>
  name === null
    ? []
    : [
        ...new Set(
          normalizeForSearch(name)
            .split(/[^\p{L}\p{M}]+/u)
            .filter((word) => word.length >= 3)
        )
      ]

/** How many letters differ, counting two that swapped places once; `most + 1` when there are more than that. */
export const editDistance = (one: string, other: string, most: number): number => {
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
export const maxTypos = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)
