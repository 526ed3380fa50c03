import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { ageOf } from "../../src/console/text.ts"

const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

describe("an age", () => {
  it.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [3_599, "59 min"],
    [7_200, "2 h"],
    [86_399, "23 h"],
    [259_200, "3 d"],
    [-5, "0 s"]
  ])("formats %i seconds as %s", (seconds, input) => {
    assert.strictEqual(ageOf(DateTime.subtract(now, { seconds }), now), input)
  })
})
