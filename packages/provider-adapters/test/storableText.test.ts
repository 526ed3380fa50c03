import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { storableText, textAt } from "../src/json.ts"

const CodeUnits = Schema.Array(
  Schema.Literals(["a", "\0", "\ud83d", "\ude00", "\ud83d\ude00", "é", "\ufffd", "EAA", " "])
)

const checked = (text: string, limit: number) => {
  const stored = storableText(text, limit)
  assert.isTrue(stored.isWellFormed(), JSON.stringify(stored))
  assert.notInclude(stored, "\0")
  assert.isAtMost(stored.length, limit)
  assert.strictEqual(storableText(stored, limit), stored)
  const whole = text.replaceAll("\0", "").toWellFormed()
  assert.isTrue(whole.startsWith(stored))
  assert.isAtLeast(stored.length, Math.min(whole.length, limit) - 1)
}

describe("a storable text", () => {
  it.prop(
    "is well formed, without NUL and at most as long as the limit",
    { text: Schema.String, limit: Schema.Int },
    (all) => checked(all.text, Math.abs(all.limit) % 50)
  )

  it.prop(
    "is so with halves of surrogate pairs anywhere",
    { units: CodeUnits, limit: Schema.Int },
    ({ limit, units }) => checked(units.join(""), Math.abs(limit) % 12)
  )

  it("keeps other texts, and no half of a pair at the cut", () => {
    assert.strictEqual(storableText("Grüße 😀"), "Grüße 😀")
    assert.strictEqual(storableText("x😀😀", 4), "x😀")
    assert.strictEqual(storableText("T\0", 200), "T")
    assert.strictEqual(storableText("HALF\ud83d"), "HALF\ufffd")
    assert.isNull(textAt({ text: "\0" }, "text"))
  })
})
