import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import { WorkflowRunInput } from "@parley/domain/automation"
import { Result, Schema } from "effect"

const decode = Schema.decodeUnknownResult(WorkflowRunInput)

const contactId = ContactId.make("01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50")

describe("The input of a workflow run", () => {
  it("accepts any JSON below 32 KiB", () => {
    for (const input of [{}, { a: null, b: [1, { c: "🥐" }] }, { text: "x".repeat(30_000) }]) {
      assert.isTrue(Result.isSuccess(decode({ contactId, input })))
    }
    assert.isTrue(Result.isFailure(decode({ contactId, input: { text: "x".repeat(33_000) } })))
  })

  it("refuses text that PostgreSQL cannot store, at any depth and in names", () => {
    for (const input of [{ a: "\0" }, { a: "\ud83d" }, { a: { b: ["x\0"] } }, { "\0": 1 }, { a: { "\ud83d": 1 } }]) {
      assert.isTrue(Result.isFailure(decode({ contactId, input })), JSON.stringify(input))
    }
  })
})
