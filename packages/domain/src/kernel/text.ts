import { Schema } from "effect"

/**
 * Optional marks: accents, vowel points of Hebrew and Arabic, and variation selectors. It excludes marks that form another letter. Examples are the
 * voice marks of kana and the vowels of Thai and Devanagari.
 */
const accentRanges = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5bd],
  [0x5bf, 0x5bf],
  [0x5c1, 0x5c1],
  [0x5c2, 0x5c2],
  [0x5c4, 0x5c4],
  [0x5c5, 0x5c5],
  [0x5c7, 0x5c7],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xe0100, 0xe01ef]
] as const

const accentPattern = new RegExp(
  `[${accentRanges.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join("-")).join("")}]`,
  "gu"
)

/** Replacements of letters that have no decomposition into a letter and a mark, as written on keyboards without them. */
const letterReplacements: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ł", "l"],
  ["ŋ", "n"],
  ["ŧ", "t"],
  ["ə", "e"],
  ["ς", "σ"],
  ["ґ", "г"],
  ["ـ", ""],
  ["’", "'"],
  ["‘", "'"],
  ["ʼ", "'"],
  ["‐", "-"],
  ["–", "-"],
  ...Array.from("٠١٢٣٤٥٦٧٨٩", (digit, value) => [digit, String(value)] as const),
  ...Array.from("۰۱۲۳۴۵۶۷۸۹", (digit, value) => [digit, String(value)] as const)
])

const replacedLetterPattern = new RegExp(`[${[...letterReplacements.keys()].join("")}]`, "gu")

/**
 * Normalizes a text for search: without case, accents and width variants. It works letter by letter, so a part of a text remains a part after
 * normalization. Hangul syllables are decomposed.
 */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(accentPattern, "")
    .replaceAll(replacedLetterPattern, (letter) => letterReplacements.get(letter) ?? letter)

/** Character of a script with words of one or two characters and without spaces between words. */
export const shortWordCharacter = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u

/** A lone surrogate is not a character. JSON Schema cannot express that, because its texts have none. */
export const isWellFormed = Schema.makeFilter(
  (text: string) => text.isWellFormed() || "Expected text that is valid Unicode"
)

const controlCharacters = String.raw`\x00-\x1f\x7f-\x9f`

/** Control characters except tabs and line breaks. */
const controlsExceptLineBreaks = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f`

/**
 * Patterns are part of the API contract. Clients compile them with and without the Unicode flag. They use escapes with the same meaning in both
 * modes, and no character beyond the Basic Multilingual Plane.
 */
export const textPatterns = {
  /** One line that starts and ends with a visible character. */
  oneLine: new RegExp(
    String.raw`^[^\s${controlCharacters}](?:[^${controlCharacters}]*[^\s${controlCharacters}])?$`,
    "u"
  ),
  prose: new RegExp(`^[^${controlsExceptLineBreaks}]*$`, "u"),
  printable: new RegExp(`^[^${controlCharacters}]*$`, "u"),
  email: new RegExp(String.raw`^[^\s@A-Z${controlCharacters}]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$`, "u")
} as const

const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

/** Formats a size, such as `64 KiB`. A size that is no multiple of a unit is in bytes. */
export const formatBytes = (bytes: number): string => {
  if (bytes % mebibyte === 0) return `${bytes / mebibyte} MiB`
  return bytes % kibibyte === 0 ? `${bytes / kibibyte} KiB` : `${bytes} bytes`
}
