import { assert, describe, it } from "@effect/vitest"
import { isExactNumber, readJson } from "@parley/domain/kernel"
import { Arbitrary, Schema } from "effect"

const faultsOf = (json: string) => {
  const reading = readJson(json)
  return "faults" in reading ? reading.faults.map(({ message, path }) => [path.join("/"), message.split(" ")[1]]) : []
}

const texts = Arbitrary.schema(
  Schema.Literals(["", "a", "b:", '"', "\\", '\\"', "{", "]", "1e400", "é🥐", "__proto__"])
)

const json: Arbitrary.Arbitrary<unknown> = Arbitrary.schema(Schema.Json)

describe("a JSON text", () => {
  it.prop("is read as the language reads it", { value: json }, ({ value }) => {
    const text = JSON.stringify(value, null, 1)
    const reading = readJson(text, 1_000)
    assert.deepStrictEqual(reading, { value: JSON.parse(text) })
  })

  it.prop("may have any key once, and none twice", { key: texts, other: texts }, ({ key, other }) => {
    const pair = (name: string, value: string) => `${JSON.stringify(name)}:${JSON.stringify(value)}`
    const text = `{"x":[{${pair(key, "1")} , ${pair(other, key)}}]}`
    assert.deepStrictEqual(faultsOf(text), key === other ? [[`x/0/${key}`, "this"]] : [])
  })

  it("may not have a key twice that is spelled in two ways", () => {
    assert.deepStrictEqual(faultsOf('{"a":1,"\\u0061":1}'), [["a", "this"]])
    assert.deepStrictEqual(faultsOf('{"__proto__":1,"__proto__":2}'), [["__proto__", "this"]])
    assert.deepStrictEqual(faultsOf('{"a":{"a":1},"b":[{"a":1},{"a":1}]}'), [])
  })

  it("is read by its own keys, though the language has seen another one at their place", () => {
    for (let times = 0; times < 5; times++) JSON.parse('{"v":1,"\\\\":1}')
    assert.deepStrictEqual(readJson('{"v":1,"\\u0077":1}'), { value: { v: 1, w: 1 } })
  })

  it("may have many keys", () => {
    const keys = Array.from({ length: 50 }, (_, index) => `"k${index}":{"k":${index}}`).join()
    assert.deepStrictEqual(faultsOf(`{${keys}}`), [])
    assert.deepStrictEqual(faultsOf(`{${keys},"k7":0}`), [["k7", "this"]])
  })

  it.each([
    "9007199254740993",
    "-9007199254740993",
    "9007199254740993.0",
    "90071992547409930e-1",
    "123456789012345678",
    "1e400",
    "-1e400",
    "1e-400",
    "1e99999999999999999999",
    "18446744073709551615"
  ])("is refused with the number %s, which would be another one", (number) => {
    assert.deepStrictEqual(faultsOf(number), [["", "a"]])
    assert.deepStrictEqual(faultsOf(`{"a":{"b":[1, ${number}]}}`), [["a/b/1", "a"]])
    assert.isFalse(isExactNumber(number))
  })

  it.each([
    "0",
    "-0",
    "0.0",
    "0e10",
    "9007199254740991",
    "9007199254740992",
    "-9007199254740991",
    "1e21",
    "1e300",
    "1E+2",
    "1.50",
    "0.1",
    "0.30000000000000004",
    "3.14159265358979323846",
    "1e-300",
    "100000000000000000000000"
  ])("is read with the number %s", (number) => {
    assert.deepStrictEqual(readJson(number), { value: JSON.parse(number) })
  })

  it.prop("keeps every number that the language writes", { value: Schema.Finite }, ({ value }) => {
    assert.isTrue(isExactNumber(JSON.stringify(value)))
  })

  it("nests no deeper than it may", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    assert.deepStrictEqual(faultsOf(nested(32)), [])
    assert.deepStrictEqual(faultsOf(nested(33)), [["", "JSON"]])
    assert.deepStrictEqual(faultsOf(nested(1_000_000)), [["", "JSON"]])
    assert.deepStrictEqual(faultsOf(JSON.stringify("[".repeat(100))), [])
  })

  it.each(["", "{", "nul", "'a'", '{"a":1,}', "01", "+1", ".5", "NaN", '"a', '"\\', '{"a":1} {"b":2}'])(
    "is refused when it is none: %j",
    (text) => {
      assert.deepStrictEqual(faultsOf(text), [["", "valid"]])
    }
  )

  it("names every error up to a limit", () => {
    assert.lengthOf(faultsOf(`[${'{"a":1,"a":1e999},'.repeat(10)}1]`), 20)
    assert.lengthOf(faultsOf(`[${"1e999,".repeat(10_000)}1]`), 100)
  })

  // A reader that backtracks would exceed the time limit of the test.
  it("reads a hostile megabyte in one go", () => {
    assert.lengthOf(faultsOf(`["${"\\".repeat(1_000_000)}"]`), 0)
    assert.lengthOf(faultsOf(`["${'\\"'.repeat(500_000)}",1e999]`), 1)
    assert.lengthOf(faultsOf(`[1${"0".repeat(1_000_000)}1]`), 1)
  })
})
