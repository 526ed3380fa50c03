import { assert, describe, it } from "@effect/vitest"
import { normalizeForSearch } from "@parley/domain/kernel"
import {
  editDistance,
  searchableNameWords,
  type ContactSearch,
  parseContactSearch,
  contactSearchText,
  maxTypos
} from "@parley/domain/crm"
import { DateTime, Schema } from "effect"

const addedAt = DateTime.makeUnsafe(0)
const known = (kind: "phone" | "email" | "external", value: string) =>
  ({ kind, value, source: "api", addedAt }) as const

const words = (...words: ReadonlyArray<string>): ContactSearch => ({ kind: "words", words })
const beginning = (text: string): ContactSearch => ({ kind: "beginning", text })

describe("a search", () => {
  const typed: ReadonlyArray<readonly [string, ContactSearch | null]> = [
    ["", null],
    [" \t\n ", null],
    ["\u0000", null],
    ["abc", words("abc")],
    ["  Ada   LOVELACE ", words("ada", "lovelace")],
    ["A\u0308BC", words("abc")],
    ["José STRAẞE", words("jose", "strasse")],
    ["田中", words("田中")],
    ["田", beginning("田")],
    ["김민", words("김민".normalize("NFD"))],
    ["a\tb\u0000cde", words("a", "b", "cde")],
    ["x\ud83eyzz", words("x", "yzz")],
    ["abc b c d e f g", words("abc", "b", "c", "d", "e")],
    ["a", beginning("a")],
    ["ab cd", beginning("ab cd")],
    ["100 %", words("100", "%")],
    ["%", beginning("%")],
    ["+49 (170) 12-34", words("491701234")],
    ["0170 1234", words("1701234")],
    ["(0)151-234", words("151234")],
    ["+49 (0)151 234", words("49151234")],
    ["0049 151 234", words("49151234")],
    ["+55 11 8765-4321", words("5511987654321")],
    ["+52 1 55 1234 5678", words("525512345678")],
    ["ada 0151 +49", words("ada", "151", "49")],
    ["000", beginning("0")],
    ["12", beginning("12")],
    ["012", beginning("12")],
    ["+", beginning("+")],
    ["()", beginning("()")],
    ["1 a", beginning("1 a")],
    ["o'neill@people.test", words("o'neill@people.test")],
    ["@Ada_1815", words("ada_1815")],
    ["@a", beginning("a")],
    ["@ a", beginning("@ a")]
  ]

  it.each(typed)("for %o is read as what was meant", (text, search) => {
    assert.deepStrictEqual(parseContactSearch(text), search)
  })

  it.prop("has searchable words for every input", { text: Schema.String }, ({ text }) => {
    const search = parseContactSearch(text)
    const parts =
      search === null ? [] : search.kind === "words" ? search.words : search.kind === "beginning" ? [search.text] : []
    for (const part of parts) {
      assert.match(part, /^[^\p{Cc}\p{Cs}]+$/u)
      assert.strictEqual(part, part.trim())
      assert.strictEqual(normalizeForSearch(part), part)
    }
    assert.isAtMost(parts.length, 5)
  })
})

describe("the text that is searched", () => {
  it("holds name, digits of phone numbers and e-mail addresses, parted by tabs", () => {
    const identities = [
      known("phone", "+491701234567"),
      known("email", "second@people.test"),
      known("external", "secret"),
      known("email", "first@people.test"),
      known("phone", "+5511987654321")
    ]
    assert.strictEqual(
      contactSearchText({ name: "A\u0308da LOVELACE", email: "first@people.test", username: "Ada_1815", identities }),
      "ada lovelace\t491701234567\t5511987654321\t551187654321\tfirst@people.test\tsecond@people.test\tada_1815"
    )
    assert.strictEqual(contactSearchText({ name: null, email: null, username: null, identities: [] }), "")
    assert.strictEqual(
      contactSearchText({ name: null, email: null, username: null, identities: [known("external", "secret")] }),
      ""
    )
  })
})

describe("the words of a name", () => {
  it.each([
    [null, []],
    ["", []],
    ["Al Ada", ["ada"]],
    ["Anna anna ANNA", ["anna"]],
    ["O'Connor-Smithson 2nd", ["connor", "smithson"]],
    ["U\u0308nal Straße", ["unal", "strasse"]],
    ["Дмитрий 田中太郎", ["дмитрии", "田中太郎"]],
    ["100% x_y \\", []]
  ] as const)("%o are long enough for typos", (name, expected) => {
    assert.deepStrictEqual(searchableNameWords(name), expected)
  })
})

describe("the distance of two words", () => {
  /** By definition: the cost of aligning the ends of the words, derived from shorter prefixes. */
  const plainly = (one: string, other: string): number => {
    const known = new Map<string, number>()
    const cost = (i: number, j: number): number => {
      if (i === 0 || j === 0) return i + j
      const place = `${i} ${j}`
      const before = known.get(place)
      if (before !== undefined) return before
      const costs = [cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)]
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        costs.push(cost(i - 2, j - 2) + 1)
      const least = Math.min(...costs)
      known.set(place, least)
      return least
    }
    return cost(one.length, other.length)
  }

  const few = Schema.String.check(Schema.isPattern(/^[abc]{0,9}$/u))

  it.prop(
    "equals its definition, and is one more than the maximum above it",
    { one: few, other: few, most: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })) },
    ({ most, one, other }) => {
      const expected = Math.min(plainly(one, other), most + 1)
      assert.strictEqual(editDistance(one, other, most), expected)
      assert.strictEqual(editDistance(other, one, most), expected)
    },
    { arbitrary: { runs: 2_000, seed: "distances" } }
  )

  it.each([
    ["", "", 0],
    ["ada", "ada", 0],
    ["lovelace", "lovelcae", 1],
    ["lovelace", "lovlace", 1],
    ["lovelace", "loveelace", 1],
    ["lovelace", "lowelace", 1],
    ["lovelace", "olvelcae", 2],
    ["lovelace", "hopper", 3]
  ] as const)("of %s and %s is %i", (one, other, far) => {
    assert.strictEqual(editDistance(one, other, 2), far)
  })

  it("allows a typing error in words of four letters, and two in words of eight", () => {
    assert.deepStrictEqual(
      ["", "abc", "abcd", "abcdefg", "abcdefgh", "a".repeat(200)].map(maxTypos),
      [0, 0, 1, 1, 2, 2]
    )
  })
})
