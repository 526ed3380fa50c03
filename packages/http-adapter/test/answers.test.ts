import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Result, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { answers } from "../src/server/answers/answerWriters.ts"
import { isoTime } from "../src/server/answers/isoTime.ts"
import { uncheckedEncoder } from "../src/server/answers/uncheckedEncoder.ts"
import { endpoints } from "./harness/contract.ts"
import { uncheckedJson } from "./harness/uncheckedJson.ts"

const unchecked = { disableChecks: true } as const

const isOfClass = (value: object) => "fields" in value.constructor

/** The value with a text in every object that no contract declares. */
const withStrays = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withStrays)
  if (typeof value !== "object" || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype && !isOfClass(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withStrays(field)])
  return Object.assign(Object.create(Object.getPrototypeOf(value)), Object.fromEntries(fields), { stray: "secret" })
}

const instants = Schema.Int.check(Schema.isBetween({ minimum: -8_640_000_000_000_000, maximum: 8_640_000_000_000_000 }))

describe("An answer that is written without checks is the same text as the schema's", () => {
  for (const { contract, id } of endpoints) {
    const answer = answers.get(contract)
    if (answer === undefined) continue
    // Reflection does not know that no schema of the contract needs a service.
    const schema = answer.schema as Schema.Codec<unknown>
    const write = uncheckedEncoder(schema)
    const encode = Schema.encodeUnknownSync(schema, unchecked)
    const encodeIfAble = Schema.encodeUnknownResult(schema, unchecked)
    const decode = Schema.decodeUnknownResult(schema, unchecked)
    const values = Arbitrary.filterMap(uncheckedJson(schema), decode)

    it.prop(
      `of ${id}`,
      { value: values },
      ({ value }) => {
        assert.strictEqual(JSON.stringify(write(value)), JSON.stringify(encode(value)))
        const more = withStrays(value)
        const expected = encodeIfAble(more)
        if (Result.isSuccess(expected)) {
          assert.strictEqual(JSON.stringify(write(more)), JSON.stringify(expected.success))
        }
      },
      { arbitrary: { runs: 30 } }
    )
  }
})

it("Only `bind` registers handlers, so all answers are written by the writers", () => {
  const folder = new URL("../src/server/", import.meta.url)
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") &&
      name !== join("bindings", "bind.ts") &&
      readFileSync(new URL(name, folder), "utf8").includes("HttpApiBuilder.group(")
  )
  assert.deepStrictEqual(others, [])
})

describe("A time in an answer", () => {
  it.prop("is written as it always was", { millis: instants }, ({ millis }) => {
    const instant = DateTime.makeUnsafe(millis)
    assert.strictEqual(isoTime(instant), DateTime.formatIso(instant))
  })

  it("is right on every day of 800 years and at the limits of four digits", () => {
    const day = 86_400_000
    const ends = [-62_167_219_200_001, -62_167_219_200_000, 253_402_300_799_999, 253_402_300_800_000]
    const days = Array.from({ length: 292_194 }, (_, index) => (index - 146_097) * day + (index % day))
    const wrong = [...ends, ...days].find((millis) => {
      const instant = DateTime.makeUnsafe(millis)
      return isoTime(instant) !== DateTime.formatIso(instant)
    })
    assert.isUndefined(wrong)
  })
})
