import { Schema } from "effect"
import { type ValidationIssue, normalizeForSearch, isWellFormed, textPatterns } from "../../../kernel/index.ts"
import { Locale } from "../../../platform/identity/index.ts"
import type { Message } from "../Message.ts"

/** Keyword: one or a few terms that form the whole message. */
export const Keyword = Schema.String.check(
  isWellFormed,
  Schema.isPattern(textPatterns.oneLine, { message: "Expected one line of text without spaces at its ends" }),
  Schema.isBetweenCodePoints(2, 40, { message: "Expected 2 to 40 characters" })
)

/** Keywords by language. */
export const KeywordList = Schema.Record(
  Schema.String,
  Schema.Array(Keyword).check(
    Schema.isMaxLength(50, { message: "Expected at most 50 words" }),
    Schema.isUnique({ message: "Expected each keyword once" })
  )
).check(
  Schema.isPropertyNames(Locale, { message: "Expected a language such as de or pt-BR" }),
  Schema.isMaxProperties(20, { message: "Expected at most 20 languages" })
)
export type KeywordList = typeof KeywordList.Type

/** Keywords of an organization, in addition to the built-in ones. They apply to messages in any language. */
export const OptKeywords = Schema.Struct({ optOutKeywords: KeywordList, optInKeywords: KeywordList })
export type OptKeywords = typeof OptKeywords.Type

/** Only the built-in keywords. */
export const noOptKeywords: OptKeywords = { optOutKeywords: {}, optInKeywords: {} }

/** Characters ignored in a keyword: spaces, marks and invisible characters. A line end separates keywords. */
const ignoredCharacters = /[[\p{P}\p{S}\p{Z}\p{C}]--\n]+/gv

/** Normalizes several keywords in one call. Separate calls for thousands of keywords take many times longer. */
const normalizeKeywords = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  normalizeForSearch(words.join("\n")).replaceAll(ignoredCharacters, "").split("\n")

/** Removes everything ignored in a keyword: case, accents, spaces, marks and invisible characters. */
const normalizeKeyword = (text: string): string =>
  normalizeForSearch(text).replaceAll(ignoredCharacters, "").replaceAll("\n", "")

/** Built-in opt-out and opt-in keywords of one language. */
interface BuiltInKeywords {
  readonly language: string
  readonly optOut: ReadonlyArray<string>
  readonly optIn: ReadonlyArray<string>
}

/** Keywords of every organization. Terms with other common meanings are excluded: cancel is mostly about an order, and yes answers any question. */
export const builtInKeywords: ReadonlyArray<BuiltInKeywords> = [
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

export type KeywordMeaning = "opt_out" | "opt_in"

const toNormalizedSet = (words: ReadonlyArray<string>): ReadonlySet<string> => new Set(normalizeKeywords(words))

const builtInOptOut: ReadonlySet<string> = toNormalizedSet(builtInKeywords.flatMap(({ optOut }) => optOut))
const builtInOptIn: ReadonlySet<string> = toNormalizedSet(builtInKeywords.flatMap(({ optIn }) => optIn))

/** Maximum length with all surrounding marks. A longer message is no keyword. */
const maxMessageLength = 200

const hasKeyword = (list: KeywordList, word: string) => normalizeKeywords(Object.values(list).flat()).includes(word)

/** Returns the meaning of a built-in keyword in normalized form; `null` for any other text. */
export const builtInMeaning = (word: string): KeywordMeaning | null => {
  if (builtInOptOut.has(word)) return "opt_out"
  return builtInOptIn.has(word) ? "opt_in" : null
}

/**
 * Returns the meaning of a message that equals one keyword of any language. Case, accents and marks are ignored; additional terms are not. If an
 * organization has a keyword in both lists, the opt-out wins.
 */
export const matchKeyword = (
  text: string | null,
  { optInKeywords, optOutKeywords }: OptKeywords
): KeywordMeaning | null => {
  if (text === null || text.length > maxMessageLength) return null
  const word = normalizeKeyword(text)
  if (word === "") return null
  const meaning = builtInMeaning(word)
  if (meaning !== null) return meaning
  if (hasKeyword(optOutKeywords, word)) return "opt_out"
  return hasKeyword(optInKeywords, word) ? "opt_in" : null
}

/** Returns the meaning of a message about marketing, if it equals one keyword. */
export const keywordMeaning = (
  { kind, text }: Pick<Message, "kind" | "text">,
  lists: OptKeywords
): KeywordMeaning | null =>
  kind === "text" || kind === "interactive" || kind === "edit" ? matchKeyword(text, lists) : null

interface LocatedKeyword {
  readonly word: string
  readonly pointer: string
  readonly meaning: KeywordMeaning
}

const locateKeywords = (name: string, meaning: KeywordMeaning, list: KeywordList): ReadonlyArray<LocatedKeyword> =>
  Object.entries(list).flatMap(([language, words]) =>
    words.map((word, at) => ({ word: normalizeKeyword(word), pointer: `/${name}/${language}/${at}`, meaning }))
  )

const minKeywordLength = 2

const keywordIssue = ({ meaning, word }: LocatedKeyword, out: ReadonlySet<string>): string | null => {
  if (Array.from(word).length < minKeywordLength) return "Expected at least 2 letters or digits"
  const builtIn = builtInMeaning(word)
  if (builtIn !== null && builtIn !== meaning) {
    return builtIn === "opt_out"
      ? "This keyword opts out everywhere, so it cannot opt in"
      : "This keyword opts in everywhere, so it cannot opt out"
  }
  return meaning === "opt_in" && out.has(word) ? "This keyword is also an opt-out keyword" : null
}

/** Returns issues of an organization's keywords that the schema cannot express, with their position in the settings. */
export const validateOptKeywords = ({ optInKeywords, optOutKeywords }: OptKeywords): ReadonlyArray<ValidationIssue> => {
  const optOut = locateKeywords("optOutKeywords", "opt_out", optOutKeywords)
  const out = new Set(optOut.map(({ word }) => word))
  return [...optOut, ...locateKeywords("optInKeywords", "opt_in", optInKeywords)].flatMap((each) => {
    const message = keywordIssue(each, out)
    return message === null ? [] : [{ pointer: each.pointer, message }]
  })
}
