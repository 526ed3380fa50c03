import { assert, describe, it } from "@effect/vitest"
import { card, table } from "../../src/console/print.ts"

describe("a table", () => {
  it("is as wide as its widest cells on a screen, in every alphabet", () => {
    const rows = [
      { name: "Ann", count: 5 },
      { name: "山田太郎", count: 12_345 }
    ]
    const columns = [
      { heading: "NAME", of: (row: (typeof rows)[number]) => row.name },
      { heading: "COUNT", of: (row: (typeof rows)[number]) => String(row.count), align: "right" as const }
    ]
    assert.strictEqual(table(rows, columns), ["NAME      COUNT", "Ann           5", "山田太郎  12345"].join("\n"))
  })

  it("leaves no spaces at the ends of its lines", () => {
    assert.strictEqual(
      table(
        [{ a: "1", b: "" }],
        [
          { heading: "LONG A", of: (row) => row.a },
          { heading: "B", of: (row) => row.b }
        ]
      ),
      "LONG A  B\n1"
    )
  })
})

describe("a card", () => {
  it("prints each field on a separate line with aligned values", () => {
    assert.strictEqual(
      card([
        ["ID", "1"],
        ["CREATED", "today"]
      ]),
      "ID       1\nCREATED  today"
    )
  })
})
