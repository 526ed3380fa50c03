import { Schema } from "effect"
import { type Fault, foldText, isWellFormed, textPatterns } from "../../../kernel/index.ts"
import { Locale } from "../../../platform/identity/index.ts"
import type { Message } from "../Message.ts"

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

/** What does not matter in a word: spaces, marks and what is not seen. The end of a line parts words. */
const marks = /[[\p{P}\p{S}\p{Z}\p{C}]--\n]+/gv

/** Some words without what does not matter in them, all at once: to fold each of thousands takes many times as long. */
const foldWords = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  foldText(words.join("\n")).replaceAll(marks, "").split("\n")

/** A text without what does not matter in a word: capitals, accents, spaces, marks and what is not seen. */
const foldWord = (text: string): string => foldText(text).replaceAll(marks, "").replaceAll("\n", "")

/** Words in one language by which somebody wants no more marketing, or wants it again. */
interface BuiltIn {
  readonly language: string
  readonly optOut: ReadonlyArray<string>
  readonly optIn: ReadonlyArray<string>
}

/**
 * What counts in every organization. No word is among them that customers write for another reason: to cancel is mostly about an
 * order, and yes is the answer to any question.
 */
export const builtInWords: ReadonlyArray<BuiltIn> = [
  {
    language: "en",
    optOut: ["stop", "stop all", "stop promotions", "unsubscribe", "opt out"],
    optIn: ["start", "unstop", "subscribe", "opt in"]
  },
  { language: "de", optOut: ["stopp", "abmelden", "abbestellen"], optIn: ["anmelden", "abonnieren"] },
  { language: "fr", optOut: ["arrêt", "désabonner", "désinscrire"], optIn: ["réabonner", "s'abonner"] },
  { language: "es", optOut: ["baja", "darme de baja", "darse de baja"], optIn: ["alta", "suscribirme", "suscribirse"] },
  { language: "pt", optOut: ["parar", "sair", "descadastrar"], optIn: ["inscrever", "cadastrar"] },
  { language: "it", optOut: ["disiscrivimi", "cancella iscrizione"], optIn: ["iscrivimi"] },
  { language: "nl", optOut: ["afmelden", "uitschrijven"], optIn: ["aanmelden", "inschrijven"] },
  { language: "pl", optOut: ["wypisz", "wypisz mnie", "rezygnuję"], optIn: ["zapisz mnie", "subskrybuj"] },
  { language: "tr", optOut: ["abonelikten çık", "listeden çık"], optIn: ["abone ol"] },
  { language: "sv", optOut: ["stoppa", "avregistrera", "avprenumerera"], optIn: ["prenumerera"] },
  { language: "da", optOut: ["afmeld", "frameld"], optIn: ["tilmeld"] },
  { language: "cs", optOut: ["odhlásit", "odhlásit odběr"], optIn: ["přihlásit odběr"] },
  { language: "ro", optOut: ["dezabonare", "dezabonează-mă"], optIn: ["abonare", "abonează-mă"] },
  { language: "ru", optOut: ["стоп", "отписаться", "отписка"], optIn: ["старт", "подписаться", "подписка"] },
  { language: "uk", optOut: ["відписатися", "відписка"], optIn: ["підписатися", "підписка"] },
  { language: "ar", optOut: ["إلغاء الاشتراك", "أوقف الرسائل"], optIn: ["اشتراك", "اشترك"] },
  { language: "he", optOut: ["הסר", "הסירו אותי", "הסרה"], optIn: ["הצטרפות"] },
  { language: "hi", optOut: ["संदेश बंद करें", "सदस्यता समाप्त करें"], optIn: ["सदस्यता लें"] },
  { language: "id", optOut: ["berhenti", "berhenti langganan"], optIn: ["langganan", "berlangganan"] },
  { language: "zh", optOut: ["退订", "退訂", "取消订阅", "取消訂閱"], optIn: ["订阅", "訂閱"] }
]

/** What a word says. */
export type WordMeaning = "opt_out" | "opt_in"

const folded = (words: ReadonlyArray<string>): ReadonlySet<string> => new Set(foldWords(words))

const builtInOut: ReadonlySet<string> = folded(builtInWords.flatMap(({ optOut }) => optOut))
const builtInIn: ReadonlySet<string> = folded(builtInWords.flatMap(({ optIn }) => optIn))

/** With all marks round it. Whoever writes more has written no word. */
const longestMessage = 200

const isAmong = (list: WordList, word: string) => foldWords(Object.values(list).flat()).includes(word)

/** What the word says that is written so without capitals, accents and marks, if it is a built-in one. */
export const builtInMeaning = (word: string): WordMeaning | null => {
  if (builtInOut.has(word)) return "opt_out"
  return builtInIn.has(word) ? "opt_in" : null
}

/**
 * What a message says if it is nothing but one of the words, of any language: capitals, accents and marks do not matter, other words
 * do. An organization that has a word in both of its lists is taken at the one by which nobody is written to against their will.
 */
export const wordOf = (text: string | null, { optInWords, optOutWords }: WordLists): WordMeaning | null => {
  if (text === null || text.length > longestMessage) return null
  const word = foldWord(text)
  if (word === "") return null
  const meaning = builtInMeaning(word)
  if (meaning !== null) return meaning
  if (isAmong(optOutWords, word)) return "opt_out"
  return isAmong(optInWords, word) ? "opt_in" : null
}

/** What a message says about marketing, if it is nothing but one of the words. */
export const meaningOf = ({ kind, text }: Pick<Message, "kind" | "text">, lists: WordLists): WordMeaning | null =>
  kind === "text" || kind === "interactive" || kind === "edit" ? wordOf(text, lists) : null

interface Placed {
  readonly word: string
  readonly pointer: string
  readonly meaning: WordMeaning
}

const placed = (name: string, meaning: WordMeaning, list: WordList): ReadonlyArray<Placed> =>
  Object.entries(list).flatMap(([language, words]) =>
    words.map((word, at) => ({ word: foldWord(word), pointer: `/${name}/${language}/${at}`, meaning }))
  )

const shortestWord = 2

const faultOf = ({ meaning, word }: Placed, out: ReadonlySet<string>): string | null => {
  if (Array.from(word).length < shortestWord) return "Expected at least 2 letters or digits: marks do not count"
  const builtIn = builtInMeaning(word)
  if (builtIn !== null && builtIn !== meaning) {
    return builtIn === "opt_out"
      ? "This word opts out everywhere, so it cannot opt in"
      : "This word opts in everywhere, so it cannot opt out"
  }
  return meaning === "opt_in" && out.has(word) ? "This word is also one that opts out" : null
}

/** What a schema cannot say of an organization's words, each with where it is in the settings. */
export const faultsOfWords = ({ optInWords, optOutWords }: WordLists): ReadonlyArray<Fault> => {
  const optOut = placed("optOutWords", "opt_out", optOutWords)
  const out = new Set(optOut.map(({ word }) => word))
  return [...optOut, ...placed("optInWords", "opt_in", optInWords)].flatMap((each) => {
    const message = faultOf(each, out)
    return message === null ? [] : [{ pointer: each.pointer, message }]
  })
}
