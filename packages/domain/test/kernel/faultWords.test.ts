import { assert, it } from "@effect/vitest"
import { Data } from "effect"
import { describeError } from "../../src/kernel/errors.ts"

class Failed extends Data.TaggedError("Failed")<{ readonly reason: object }> {
  override get message() {
    return "The statement failed"
  }
}

it("an error includes the messages of its causes", () => {
  const database = new Error('deadlock detected while locking "contacts"')
  const failed = new Failed({ reason: { _tag: "Deadlock", cause: database } })
  assert.strictEqual(
    describeError(new Error("The batch was given up", { cause: failed })),
    'The batch was given up: The statement failed: deadlock detected while locking "contacts"'
  )
  assert.strictEqual(describeError(new Error("Same", { cause: new Error("Same") })), "Same")
  assert.strictEqual(describeError("bare words"), "bare words")
  assert.strictEqual(describeError(new Error("")), "")
})

it("circular causes end", () => {
  const one = new Error("one")
  const other = new Error("other", { cause: one })
  one.cause = other
  assert.strictEqual(describeError(one), "one: other")
})
