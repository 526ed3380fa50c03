import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  builtInKeywords,
  validateOptKeywords,
  OptKeywords,
  matchKeyword
} from "../../../src/messaging/inbox/receiving/optOutKeywords.ts"

const none: OptKeywords = { optOutKeywords: {}, optInKeywords: {} }
const own: OptKeywords = {
  optOutKeywords: { de: ["Keine Werbung"], fr: ["Ça suffit"] },
  optInKeywords: { de: ["Bin dabei"] }
}

const all = builtInKeywords.flatMap(({ optIn, optOut }) => [
  ...optOut.map((word) => ({ word, meaning: "opt_out" as const })),
  ...optIn.map((word) => ({ word, meaning: "opt_in" as const }))
])

const Marks = Schema.Array(
  Schema.Literals([" ", "!", ".", "*", "_", "~", "`", "\n", "…", "«", "»", "🛑", "\u200f"])
).check(Schema.isMaxLength(8))
const Anyone = Schema.Literals(all.map(({ word }) => word))

const isListed = Schema.is(OptKeywords)

describe("a word", () => {
  it.each([
    ["STOP", "opt_out"],
    [" stop. ", "opt_out"],
    ["S.T.O.P!!", "opt_out"],
    ["Arrêt", "opt_out"],
    ["arre\u0302t", "opt_out"],
    ["*STOP*", "opt_out"],
    ["Opt-out", "opt_out"],
    ["ＳＴＯＰ", "opt_out"],
    ["إلغاء الاشتراك", "opt_out"],
    ["الغاء الاشتراك", "opt_out"],
    ["退订", "opt_out"],
    ["start", "opt_in"],
    ["please stop", null],
    ["stop it", null],
    ["stopped", null],
    ["no", null],
    ["", null],
    ["!!!", null],
    ["🛑", null],
    [`stop${" ".repeat(300)}`, null]
  ] as const)("is the whole of a message: %s", (text, meaning) => {
    assert.strictEqual(matchKeyword(text, none), meaning)
  })

  it("is none where nothing is written", () => {
    assert.isNull(matchKeyword(null, own))
  })

  it("may be the organization's, in any language", () => {
    assert.deepStrictEqual(
      ["keine werbung!", "Ca suffit.", "BIN DABEI", "keine"].map((text) => matchKeyword(text, own)),
      ["opt_out", "opt_out", "opt_in", null]
    )
    assert.isNull(matchKeyword("Keine Werbung", none))
  })

  it("opts out if it is in both lists", () => {
    assert.strictEqual(
      matchKeyword("yes", { optOutKeywords: { en: ["yes"] }, optInKeywords: { en: ["yes"] } }),
      "opt_out"
    )
  })

  it.prop(
    "has one meaning regardless of case, accents, punctuation and the organization's keywords",
    { word: Anyone, before: Marks, after: Marks, decomposed: Schema.Boolean, upper: Schema.Boolean },
    ({ after, before, decomposed, upper, word }) => {
      const cased = upper ? word.toUpperCase() : word
      const text = before.join("") + (decomposed ? cased.normalize("NFD") : cased) + after.join("")
      const meaning = all.find((each) => each.word === word)?.meaning
      assert.strictEqual(matchKeyword(text, none), meaning)
      assert.strictEqual(matchKeyword(text, { optOutKeywords: { en: [word] }, optInKeywords: { en: [word] } }), meaning)
    }
  )

  it("opts out that always did", () => {
    const always = ["STOP", "STOPALL", "UNSUBSCRIBE", "ARRET", "BAJA", "PARAR", "SAIR", "STOPP", "ABMELDEN"]
    assert.deepStrictEqual(
      always.filter((word) => matchKeyword(word, none) !== "opt_out"),
      []
    )
  })

  it("built in has a single meaning in at most 20 languages, and could be an organization's keyword", () => {
    assert.isAtMost(builtInKeywords.length, 20)
    assert.deepStrictEqual(
      all.filter(({ meaning, word }) => matchKeyword(word, none) !== meaning),
      []
    )
    for (const { language, optIn, optOut } of builtInKeywords) {
      const lists = { optOutKeywords: { [language]: optOut }, optInKeywords: { [language]: optIn } }
      assert.isTrue(isListed(lists), language)
      assert.deepStrictEqual(validateOptKeywords(lists), [])
    }
  })
})

describe("lists of words", () => {
  const list = (languages: number, words: number) =>
    Object.fromEntries(
      Array.from({ length: languages }, (_, at) => [
        `a${String.fromCodePoint(97 + at)}`,
        Array.from({ length: words }, (_, at) => `word ${at}`)
      ])
    )

  it.each([
    ["20 languages of 50 words", list(20, 50), true],
    ["21 languages", list(21, 1), false],
    ["51 words", list(1, 51), false],
    ["a letter", { en: ["a"] }, false],
    ["40 characters", { en: ["a".repeat(40)] }, true],
    ["41 characters", { en: ["a".repeat(41)] }, false],
    ["no language", { "": ["word"] }, false],
    ["two lines", { en: ["two\nlines"] }, false]
  ])("have bounds: %s", (_, optOutKeywords, fits) => {
    assert.strictEqual(isListed({ optOutKeywords, optInKeywords: {} }), fits)
  })

  it("have no word that says both, or something else than everywhere, and none that is all marks", () => {
    const faults = validateOptKeywords({
      optOutKeywords: { en: ["enough", "start"], de: ["!!!"] },
      optInKeywords: { en: ["yes", "STOP"], fr: ["Énough."] }
    })
    assert.deepStrictEqual(
      faults.map(({ pointer }) => pointer),
      ["/optOutKeywords/en/1", "/optOutKeywords/de/0", "/optInKeywords/en/1", "/optInKeywords/fr/0"]
    )
  })
})
