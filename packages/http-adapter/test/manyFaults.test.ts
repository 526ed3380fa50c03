import { maxValidationIssues } from "@parley/domain/kernel"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { faultsOf } from "../src/server/faults.ts"

const parts = { errors: "all", onExcessProperty: "error" } as const

const Body = Schema.Struct({
  email: Schema.String,
  choices: Schema.optionalKey(Schema.Array(Schema.Literals(["a", "b"])))
})

const faultsIn = (input: unknown) => {
  const decoded = Schema.decodeUnknownResult(Body)(input, parts)
  return Result.isFailure(decoded) ? faultsOf(decoded.failure.issue, input, "Payload") : []
}

const many = Array.from({ length: 5_000 }, (_, index) => `k${index}`)

describe("a body with very many errors", () => {
  it("lists a limited number of unknown fields", () => {
    const faults = faultsIn(Object.fromEntries(many.map((key) => [key, 1])))
    expect(faults).toHaveLength(maxValidationIssues)
    expect(faults[0]).toEqual({ pointer: "/k0", message: "This field does not exist" })
  })

  it("lists a limited number of wrong items in a list", () => {
    const faults = faultsIn({ email: "", choices: many })
    expect(faults).toHaveLength(maxValidationIssues)
    expect(faults.at(-1)).toEqual({ pointer: "/choices/99", message: "Expected one of: a, b" })
  })

  it("does not evaluate the omitted errors", () => {
    const looked: Array<string> = []
    const watched = new Proxy(
      { email: "", choices: many },
      {
        get: (target, key) => {
          looked.push(String(key))
          return Reflect.get(target, key)
        }
      }
    )
    const decoded = Schema.decodeUnknownResult(Body)({ email: "", choices: many }, parts)
    if (Result.isSuccess(decoded)) throw new Error("Expected faults")
    faultsOf(decoded.failure.issue, watched, "Payload")
    expect(looked.length).toBeLessThanOrEqual(maxValidationIssues)
  })
})
