import { assert, it } from "@effect/vitest"
import { answerFormat } from "../../src/server/analytics/answerFormat.ts"

it("An answer of analytics is written as its name says, else as Accept does, else as JSON", () => {
  assert.strictEqual(answerFormat("svg", "text/csv"), "svg")
  assert.strictEqual(answerFormat(undefined, "text/html, image/svg+xml"), "svg")
  assert.strictEqual(answerFormat(undefined, "image/svg+xml, text/csv;q=0.5"), "csv")
  assert.strictEqual(answerFormat(undefined, "text/csv;q=0, image/svg+xml"), "svg")
  assert.strictEqual(answerFormat(undefined, "*/*"), "json")
  assert.strictEqual(answerFormat(undefined, undefined), "json")
})
