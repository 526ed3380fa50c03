import { Schema } from "effect"
import { Locale } from "../../../../platform/identity/index.ts"
import { isWellFormed, textPatterns } from "../../../../kernel/index.ts"

/** A word, or a few, as the whole of a message. */
export const Word = Schema.String.check(
  isWellFormed,
  Schema.isPattern(textPatterns.oneLine, { message: "Expected one line of text without spaces at its ends" }),
  Schema.isBetweenCodePoints(2, 40, { message: "Expected 2 to 40 characters" })
)

/** Words by their language. */
export const WordList = Schema.Record(
  Schema.String,
  Schema.Array(Word).check(
    Schema.isMaxLength(50, { message: "Expected at most 50 words" }),
    Schema.isUnique({ message: "Expected each word once" })
  )
).check(
  Schema.isPropertyNames(Locale, { message: "Expected a language such as de or pt-BR" }),
  Schema.isMaxProperties(20, { message: "Expected at most 20 languages" })
)
export type WordList = typeof WordList.Type

/** The words of an organization, beside the built-in ones. They count in messages of any language. */
export const WordLists = Schema.Struct({ optOutWords: WordList, optInWords: WordList })
export type WordLists = typeof WordLists.Type

/** Where there are none but the built-in ones. */
export const noWords: WordLists = { optOutWords: {}, optInWords: {} }

const joined = (one: WordList, other: WordList): WordList => {
  const languages = [...Object.keys(one), ...Object.keys(other)]
  return Object.fromEntries(
    languages.map((language) => [language, [...(one[language] ?? []), ...(other[language] ?? [])]])
  )
}

/** The words of both. */
export const joinedWords = (one: WordLists, other: WordLists): WordLists => ({
  optOutWords: joined(one.optOutWords, other.optOutWords),
  optInWords: joined(one.optInWords, other.optInWords)
})
