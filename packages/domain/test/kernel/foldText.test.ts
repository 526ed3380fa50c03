import { assert, describe, it } from "@effect/vitest"
import { normalizeForSearch } from "@parley/domain/kernel"
import { normalizeName } from "@parley/domain/crm"
import { Schema } from "effect"

describe("a folded text", () => {
  it.each([
    ["José", "jose"],
    ["Jose\u0301", "jose"],
    ["CAFÉ", "cafe"],
    ["Straße STRASSE", "strasse strasse"],
    ["Ørsted", "orsted"],
    ["İstanbul Isparta ırmak", "istanbul isparta irmak"],
    ["Łódź", "lodz"],
    ["Æther œuvre Þór", "aether oeuvre thor"],
    ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
    ["Ёлка Йод", "елка иод"],
    ["ＡＢＣ１２", "abc12"],
    ["٠١٢ ۳", "012 3"],
    ["O’Neill", "o'neill"],
    ["שָׁלוֹם", "שלום"],
    ["مُحَمَّد", "محمد"],
    ["ไทย हिन्दी", "ไทย हिन्दी"],
    ["か が", "か か\u3099"]
  ])("of %s is %s", (text, folded) => {
    assert.strictEqual(normalizeForSearch(text), folded)
  })

  it.prop(
    "stays as it is, has no case, and has the folded parts of the text as its parts",
    { one: Schema.String, other: Schema.String },
    ({ one, other }) => {
      const folded = normalizeForSearch(one)
      assert.strictEqual(normalizeForSearch(folded), folded)
      assert.strictEqual(normalizeForSearch(normalizeName(one)), folded)
      assert.include(normalizeForSearch(`${one} ${other}`), folded)
      assert.include(normalizeForSearch(`${other}${one}`), folded)
    },
    { arbitrary: { runs: 500, seed: "folding" } }
  )

  it("of every character stays as it is", () => {
    for (let point = 0; point < 0x2_ffff; point++) {
      if (point >= 0xd800 && point < 0xe000) continue
      const folded = normalizeForSearch(String.fromCodePoint(point))
      if (
        normalizeForSearch(folded) !== folded ||
        normalizeForSearch(normalizeName(String.fromCodePoint(point))) !== folded
      ) {
        assert.fail(point.toString(16))
      }
    }
  })
})
