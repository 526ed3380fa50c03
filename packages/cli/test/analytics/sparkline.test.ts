import { assert, describe, it } from "@effect/vitest"
import { sparkline } from "../../src/commands/analytics/drawing.ts"

describe("a sparkline", () => {
  it("draws values from nothing to the most", () => {
    assert.strictEqual(sparkline([0, 1, 4, 8]), "▁▂▅█")
  })

  it("leaves a space where there is no value, and draws nothing as the lowest", () => {
    assert.strictEqual(sparkline([null, 0, null]), " ▁ ")
    assert.strictEqual(sparkline([]), "")
  })
})
