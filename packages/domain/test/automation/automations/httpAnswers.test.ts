import { assert, describe, it } from "@effect/vitest"
import { interpretHttpAnswer } from "@parley/domain/automation"

type Received = Parameters<typeof interpretHttpAnswer>[0]

const interpret = (status: number | null, text: string | null, others: Partial<Received> = {}) => {
  const verdict = interpretHttpAnswer({ status, error: null, retryAfterSeconds: null, text, ...others })
  return [verdict.kind, verdict.kind === "done" ? null : verdict.error.code, verdict.output]
}

describe("the answer of an HTTP request", () => {
  it("is done with its JSON, also without a body", () => {
    assert.deepStrictEqual(interpret(200, '{"a":[1]}'), ["done", null, { status: 200, body: { a: [1] } }])
    assert.deepStrictEqual(interpret(204, ""), ["done", null, { status: 204, body: null }])
    assert.deepStrictEqual(interpret(201, " \n"), ["done", null, { status: 201, body: null }])
  })

  it("fails with a code if it is not JSON, is too large or cannot be stored", () => {
    const none = { status: 200, body: null }
    for (const text of ["<html>", "{", '{"a":1,"a":2}', '"\\u0000"', "[".repeat(2_000)]) {
      assert.deepStrictEqual(interpret(200, text), ["failed", "http_answer_invalid", none])
    }
    assert.deepStrictEqual(interpret(200, null, { unread: "too_large" }), ["failed", "http_answer_too_large", none])
  })

  it("is tried again after network errors, 429 and 5xx only", () => {
    assert.deepStrictEqual(interpret(null, null, { error: "timeout" }), ["again", "http_unreachable", null])
    assert.deepStrictEqual(interpret(null, null, { error: "not_public" }), ["failed", "http_unreachable", null])
    assert.deepStrictEqual(interpret(200, null, { unread: "incomplete" })[0], "again")
    for (const status of [429, 500, 503, 599]) {
      assert.deepStrictEqual(interpret(status, "{}"), ["again", "http_status", { status, body: {} }])
    }
    for (const status of [301, 400, 404, 422]) {
      assert.deepStrictEqual(interpret(status, "no JSON"), ["failed", "http_status", { status, body: null }])
    }
  })
})
