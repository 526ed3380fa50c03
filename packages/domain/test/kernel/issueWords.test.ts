import { assert, describe, it } from "@effect/vitest"
import { toValidationIssues } from "@parley/domain/kernel"
import { Result, Schema } from "effect"

const figures = Array.from({ length: 100 }, (_, index) => `messages.outbound.byKind.kind_number_${index}`)
const Long = Schema.Struct({ figure: Schema.Literals([...figures, "conversations.opened", "conversations.open"]) })

const messagesOf = (schema: Schema.Decoder<unknown>, value: unknown) => {
  const decoded = Schema.decodeUnknownResult(schema)(value)
  return Result.isFailure(decoded) ? toValidationIssues(decoded.failure.issue, value).map(({ message }) => message) : []
}

describe("a message about a value that is not among the choices", () => {
  it("names the most similar ones of many", () => {
    assert.deepStrictEqual(messagesOf(Long, { figure: "conversations.opend" }), [
      "Expected one of 102 values. Did you mean conversations.open or conversations.opened?"
    ])
    assert.deepStrictEqual(messagesOf(Long, { figure: "opened" }), [
      "Expected one of 102 values. Did you mean conversations.opened?"
    ])
  })

  it("names none that shares only some letters", () => {
    const events = Schema.Struct({ event: Schema.Literals([...figures, "order.paid", "cart.abandoned"]) })
    const [message = ""] = messagesOf(events, { event: "user.vanished" })
    assert.notInclude(message, "Did you mean")
    assert.deepStrictEqual(messagesOf(events, { event: "cart.abandonned" }), [
      "Expected one of 102 values. Did you mean cart.abandoned?"
    ])
  })

  it("does not end in the middle of a choice", () => {
    const [message = ""] = messagesOf(Long, { figure: "zz" })
    assert.match(message, /^Expected one of: messages\S+, .*\d and \d+ more$/u)
    assert.isBelow(message.length, 1_000)
    const few = Schema.Struct({ color: Schema.Literals(["red", "green"]) })
    assert.deepStrictEqual(messagesOf(few, { color: "gren" }), ["Expected one of: red, green"])
  })
})
