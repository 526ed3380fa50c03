import { Schema } from "effect"
import { Locale } from "../../identity/index.ts"
import { isWellFormed, textPatterns } from "../../kernel/index.ts"

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
).check(Schema.isPropertyNames(Locale), Schema.isMaxProperties(20, { message: "Expected at most 20 languages" }))
export type WordList = typeof WordList.Type

/** The words of an organization, beside the built-in ones. They count in messages of any language. */
export const WordLists = Schema.Struct({ optOutWords: WordList, optInWords: WordList })
export type WordLists = typeof WordLists.Type
