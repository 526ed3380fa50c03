import { assert, it } from "@effect/vitest"
import { answerFormat } from "../../src/server/contentNegotiation.ts"

it("An answer of analytics is written as its name says, else as Accept wants most, else as JSON", () => {
  assert.strictEqual(answerFormat("svg", "text/csv"), "svg")
  assert.strictEqual(answerFormat(undefined, "text/html, image/svg+xml"), "svg")
  assert.strictEqual(answerFormat(undefined, "text/csv;q=0.5, image/svg+xml"), "svg")
  assert.strictEqual(answerFormat(undefined, "image/svg+xml;q=0.2, text/csv; q=0.500"), "csv")
  assert.strictEqual(answerFormat(undefined, "image/svg+xml, text/csv"), "csv")
  assert.strictEqual(answerFormat(undefined, "text/csv;q=0, image/svg+xml"), "svg")
  assert.strictEqual(answerFormat(undefined, "image/avif,image/*,*/*;q=0.8"), "svg")
  assert.strictEqual(answerFormat(undefined, "*/*, application/json;q=0"), "csv")
  assert.strictEqual(answerFormat(undefined, "TEXT/CSV;header=present;Q=1"), "csv")
  assert.strictEqual(answerFormat(undefined, "*/*"), "json")
  assert.strictEqual(answerFormat(undefined, "text/html"), "json")
  assert.strictEqual(answerFormat(undefined, "image/svg+xml;q=2"), "svg")
  assert.strictEqual(answerFormat(undefined, ",;=,,"), "json")
  assert.strictEqual(answerFormat(undefined, undefined), "json")
})
