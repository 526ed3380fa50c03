import { assert, describe, it } from "@effect/vitest"
import { querySearchTokens, buildSnippet } from "@parley/domain/messaging"
import { Schema } from "effect"

const marked = (value: string, q: string) => {
  const { matches, text } = buildSnippet(value, querySearchTokens(q) ?? [])
  return matches
    .toReversed()
    .reduce((all, { end, start }) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`, text)
}

describe("a snippet", () => {
  it.each([
    ["Do you have bread?", "bread", "Do you have [bread]?"],
    ["Zwei Brötchen,\nbitte", "BROT bitte", "Zwei [Brötchen], [bitte]"],
    ["我想订购面包", "订购", "我想[订购]面包"],
    ["我想订购面包", "想订购", "我[想订购]面包"],
    ["<b>bread</b>", "bread", "<b>[bread]</b>"],
    ["nothing", "bread", "nothing"],
    ["🥖 bread", "bread", "🥖 [bread]"]
  ])("of %s for %s shows where the words are", (input, q, expected) => {
    assert.strictEqual(marked(input, q), expected)
  })

  it("is no longer than 160, and has the first match", () => {
    const { matches, text } = buildSnippet(`${"x ".repeat(500)}bread ${"y ".repeat(500)}`, ["bread"])
    assert.isAtMost(text.length, 160)
    assert.deepStrictEqual(
      matches.map(({ end, start }) => text.slice(start, end)),
      ["bread"]
    )
  })

  it.prop(
    "is well-formed, and its matches are in it, in order",
    { input: Schema.String, q: Schema.String },
    ({ q, input }) => {
      const { matches, text } = buildSnippet(input, querySearchTokens(q) ?? [])
      assert.isAtMost(text.length, 160)
      let last = 0
      for (const { end, start } of matches) {
        assert.isTrue(start >= last && end > start && end <= text.length)
        last = end
      }
    }
  )
})
