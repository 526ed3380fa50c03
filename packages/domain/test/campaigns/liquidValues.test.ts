import { assert, describe, it } from "@effect/vitest"
import {
  isSoleOutput,
  renderLiquidValue,
  type NamedPath,
  findOutputTypes,
  Structure,
  type ValueType,
  type Vocabulary
} from "@parley/domain/campaigns"
import { Schema } from "effect"

const vocabulary: Vocabulary<NamedPath> = {
  read: (path) => path,
  keyOf: (path) => JSON.stringify(path),
  expected: "anything",
  of: "the test"
}

const at = (values: object, path: NamedPath): unknown =>
  path.reduce<unknown>(
    (value, name) => (Object.hasOwn(Object(value), name) ? Reflect.get(Object(value), name) : null),
    values
  )

const valueOf = (source: string, values: object = {}) =>
  renderLiquidValue(source, {
    vocabulary,
    language: null,
    lookup: (path) => {
      const found = at(values, path)
      return typeof found === "object" && found !== null
        ? new Structure(found as Schema.Json, Object.hasOwn(found, "amountMinor") ? "49.99" : null)
        : (found as string | number | boolean | null)
    }
  })

const made = (source: string, values: object = {}) => {
  const outcome = valueOf(source, values)
  return outcome.kind === "made" ? outcome.value : outcome
}

describe("a value that is exactly one output", () => {
  it.prop("keeps the type of any JSON value", { value: Schema.Json }, ({ value }) => {
    const outcome = valueOf("{{ order.it }}", { order: { it: value } })
    const isMissing = value === null || (typeof value === "string" && value.trim() === "")
    if (isMissing) assert.deepStrictEqual(outcome, { kind: "missing", variable: "order.it" })
    else assert.strictEqual(JSON.stringify(outcome.kind === "made" ? outcome.value : null), JSON.stringify(value))
  })

  it.prop(
    "is a text when other characters precede or follow the output",
    { beside: Schema.String, number: Schema.Int, isBefore: Schema.Boolean },
    ({ beside, isBefore, number }) => {
      const text = beside.replaceAll(/[{}%]/gu, "")
      const output = "{{ a.n }}"
      const source = isBefore ? text + output : output + text
      const values = { a: { n: number } }
      assert.strictEqual(isSoleOutput(source), text === "")
      assert.strictEqual(made(output, values), number)
      const expected = isBefore ? `${text}${number}` : `${number}${text}`
      assert.strictEqual(made(source, values), text === "" ? number : expected)
    }
  )

  it("has the type of its last filter", () => {
    const values = {
      order: { n: 4, text: " Ada ", total: { amountMinor: 4999, currency: "EUR" }, none: null, list: ["a"] }
    }
    const cases: ReadonlyArray<readonly [string, unknown]> = [
      ["{{ order.n }}", 4],
      ["{{order.n}}", 4],
      ["{{- order.n -}}", 4],
      ["{{ order.n | plus: 1 }}", 5],
      ["{{ order.n | upcase }}", "4"],
      ["{{ order.text | strip }}", "Ada"],
      ["{{ order.none | default: 7 }}", 7],
      ["{{ order.none | default: nil }}", null],
      ["{{ order.none | default: true }}", true],
      ["{{ order.list }}", ["a"]],
      ["{{ order.list | default: nil }}", ["a"]],
      ["{{ order.total }}", { amountMinor: 4999, currency: "EUR" }],
      ["{{ order.total.amountMinor }}", 4999],
      ["{{ order.total | plus: 1 }}", 50.99],
      ["{{ order.n }}{{ order.n }}", "44"],
      ["{% if order.n %}{{ order.n }}{% endif %}", "4"],
      ["{{ order.total }} {{ order.total.amountMinor }} {{ order.total.currency }}", "49.99 4999 EUR"],
      ["{{ 'x' }}", "x"],
      ["{{ 3 }}", 3]
    ]
    for (const [source, expected] of cases) assert.deepStrictEqual(made(source, values), expected, source)
  })

  it("reports the empty or invalid variable", () => {
    const values = { a: { none: null, text: "x", list: [1] } }
    const missing = (variable: string | null) => ({ kind: "missing", variable })
    assert.deepStrictEqual(made("{{ a.none }}", values), missing("a.none"))
    assert.deepStrictEqual(made("{{ a.text }}{{ a.none }}", values), missing("a.none"))
    assert.deepStrictEqual(made("{{ a.text | plus: 1 }}", values), missing("a.text"))
    assert.deepStrictEqual(made("{{ a.list | upcase }}", values), missing("a.list"))
    assert.deepStrictEqual(made("{{ a.text | plus: a.list }}", values), missing(null))
  })

  it("has known types when its variables have known types", () => {
    const types: Readonly<Record<string, ValueType>> = { text: "text", list: "list", total: "money", at: "time" }
    const typed = {
      ...vocabulary,
      typesOf: ([, name]: NamedPath) => {
        const type = name === undefined ? undefined : types[name]
        return type === undefined ? null : new Set([type])
      }
    }
    const typesOf = (source: string) => {
      const found = findOutputTypes(source, typed)
      return found === null ? null : [found.types === null ? null : [...found.types], found.misfit]
    }
    assert.deepStrictEqual(typesOf("{{ a.text }}"), [["text"], null])
    assert.deepStrictEqual(typesOf("{{ a.text | plus: 1 }}"), [["number"], null])
    assert.deepStrictEqual(typesOf("{{ a.total | upcase }}"), [["text"], null])
    assert.deepStrictEqual(typesOf("{{ a.at | default: 3 }}"), [["time", "number"], null])
    assert.deepStrictEqual(typesOf("{{ a.at | default: nil | upcase }}"), [["text", "null"], null])
    assert.deepStrictEqual(typesOf("{{ a.unknown }}"), [null, null])
    assert.deepStrictEqual(typesOf("{{ a.unknown | round }}"), [["number", "null"], null])
    assert.deepStrictEqual(typesOf("{{ a.list | upcase }}"), [["list"], "upcase"])
    assert.isNull(typesOf("x {{ a.text }}"))
  })
})
