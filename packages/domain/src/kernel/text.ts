import { Schema } from "effect"

/**
 * Marks that a writer may leave out: accents, vowel points of Hebrew and Arabic, and what chooses between looks of a character. Not
 * those that make another letter, such as the voice marks of kana and the vowels of Thai and Devanagari.
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

/** Letters that are no others with a mark, as they are written where a keyboard lacks them. */
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
 * A text as it is searched: without case, accents and variants of width, letter by letter, so that what is part of a text is part of it
 * then, too. Syllables of Hangul are taken apart.
 */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(accentPattern, "")
    .replaceAll(replacedLetterPattern, (letter) => letterReplacements.get(letter) ?? letter)

/** A character of a script whose words are one or two characters long, and are not parted by spaces. */
export const shortWordCharacter = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u

/** Half a pair of surrogates is no character. JSON Schema has no word for that: its texts have none. */
export const isWellFormed = Schema.makeFilter(
  (text: string) => text.isWellFormed() || "Expected text that is valid Unicode"
)

const controlCharacters = String.raw`\x00-\x1f\x7f-\x9f`

/** The same without tabs and the ends of lines. */
const controlsExceptLineBreaks = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f`

/**
 * Patterns stand in the contract, where others compile them, with the flag for Unicode and without: they name characters by
 * escapes that mean the same in both, and never a character beyond the first plane.
 */
export const textPatterns = {
  /** One line that begins and ends with something that is seen. */
  oneLine: new RegExp(
    String.raw`^[^\s${controlCharacters}](?:[^${controlCharacters}]*[^\s${controlCharacters}])?$`,
    "u"
  ),
  /** Any number of lines. */
  prose: new RegExp(`^[^${controlsExceptLineBreaks}]*$`, "u"),
  /** No control characters. */
  printable: new RegExp(`^[^${controlCharacters}]*$`, "u"),
  email: new RegExp(String.raw`^[^\s@A-Z${controlCharacters}]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$`, "u")
} as const
