import { assert, describe, it } from "@effect/vitest"
import { readYaml } from "../support/yaml.ts"

describe("the reader of YAML", () => {
  it("reads maps, lists, merged keys, flow values and texts", () => {
    const text = [
      "# a comment",
      "base: &base",
      "  image: postgres:17",
      '  restart: "no"',
      "service:",
      "  <<: *base",
      "  restart: always",
      '  test: [CMD, "a, b", 5.5, true]',
      '  labels: { severity: page, text: "it\'s {{ $value }}" }',
      "rules:",
      "  - alert: Down",
      "    expr: >-",
      "      up",
      "      == 0",
      "  - alert: Late",
      "    run: |",
      "      one",
      "      two",
      "empty:",
      "list:",
      "  - one",
      "own:",
      "  { a: 1 }"
    ].join("\n")
    assert.deepStrictEqual(readYaml(text), {
      base: { image: "postgres:17", restart: "no" },
      service: {
        image: "postgres:17",
        restart: "always",
        test: ["CMD", "a, b", 5.5, true],
        labels: { severity: "page", text: "it's {{ $value }}" }
      },
      rules: [
        { alert: "Down", expr: "up == 0" },
        { alert: "Late", run: "one\ntwo" }
      ],
      empty: null,
      list: ["one"],
      own: { a: 1 }
    })
  })

  it.each([
    ["a repeated key", "a: 1\na: 2"],
    ["a wrong indentation", "a:\n    b: 1\n  c: 2"],
    ["a comment after a value", "a: b # c"],
    ["a plain value with a colon", "a: b: c"],
    ["an unclosed list", "a: [b"],
    ["an unknown anchor", "a: *b"],
    ["a line without a key", "a: 1\nb"]
  ])("refuses $0", (_, text) => {
    assert.throws(() => readYaml(text))
  })
})
