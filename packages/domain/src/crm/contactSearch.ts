import { normalizeForSearch, shortWordCharacter } from "../kernel/index.ts"
import type { Contact } from "./Contact.ts"
import { parsePhoneNumber, phoneSearchKey } from "./PhoneNumber.ts"

/** Folds the case of a name. Names with equal results are the same. The result also sorts names. */
export const normalizeName = (name: string): string => name.normalize("NFC").toLowerCase()

/** Maximum number of words of a search; further words are ignored. */
const maxWords = 5

/** Parsed search. All its texts are folded. */
export type ContactSearch =
  /** Contacts whose name, email address, username and phone digits contain every word. */
  | { readonly kind: "words"; readonly words: ReadonlyArray<string> }
  /** Contacts whose name, email address, username or phone digits start with the text. Used for texts too short for a substring search. */
  | { readonly kind: "beginning"; readonly text: string }
  /** Contacts that match one spelling of each word, but not the first spelling of each. The first spelling is the typed one. */
  | { readonly kind: "near"; readonly spellings: ReadonlyArray<ReadonlyArray<string>> }

/** Builds the folded text for word searches. A tab separates parts that no match can span. */
export const contactSearchText = ({
  email,
  identities,
  name,
  username
}: Pick<Contact, "email" | "identities" | "name" | "username">): string => {
  const others = identities.filter(({ kind, value }) => kind === "email" && value !== email).map(({ value }) => value)
  // Both notations of a number with an optional digit are searchable.
  const phones = identities
    .filter(({ kind }) => kind === "phone")
    .flatMap(({ value }) => [...new Set([value, phoneSearchKey(value)])].map(digitsOf))
  return [
    normalizeForSearch(name ?? ""),
    ...phones,
    ...[email ?? "", ...others, username ?? ""].map(normalizeForSearch)
  ]
    .filter((part) => part !== "")
    .join("\t")
}

/** Returns whether a search matches this `searchText`. */
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

/** Converts to the stored digits of a number: current notation, without dialling prefixes and national prefixes. */
const toStoredDigits = (text: string): string => {
  const number = text.replace(/\(0\)/u, "").trim()
  const international = number.replace(/^00/u, "+")
  const whole = international.startsWith("+") ? parsePhoneNumber(international) : null
  return digitsOf(whole ?? number).replace(/^0+(?=\d)/u, "")
}

/** Returns whether a word is long enough for a substring search. Some scripts need only two characters. */
export const isSearchable = (word: string): boolean =>
  Array.from(word).reduce((length, character) => length + (shortWordCharacter.test(character) ? 2 : 1), 0) >= 3

/** Parses the text of a search field; `null` for an empty search. Drops the leading zeros of a national number. */
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
    .map((word) => (/^\+?\d+$/u.test(word) ? word.replace(/^\+?0*(?=\d)/u, "") : word.replace(/^@(?=\S)/u, "")))
  return words.some(isSearchable)
    ? { kind: "words", words }
    : { kind: "beginning", text: text.replace(/^@(?=\S)/u, "") }
}

/** Returns the folded words of a name that a search can match with typing errors. */
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

/** Counts differing letters; a swap of two neighbours counts once. Returns `most + 1` if there are more than `most`. */
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

/** Maximum number of wrong letters in a word of this length. */
export const maxTypos = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)
