import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fineAmountText } from "../src/console/text.ts"
import { commandLine } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "rates-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const header = "country,category,currency,amount,valid_from"

describe("rate cards, at the command line", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("are imported as a whole, listed and removed, and a wrong file names line and column", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const path = join(yield* folder, "card.csv")
        const write = (...lines: ReadonlyArray<string>) => writeFileSync(path, `${[header, ...lines].join("\n")}\n`)

        write("DE,marketing,EUR,11.31,2026-10-01", "FR,marketing,EUR,1.23456,2026-10-01")
        const wrong = yield* parley("rate-cards", "import", path)
        assert.deepStrictEqual(
          [wrong.code, wrong.err],
          [
            1,
            "parley: Line 3, column amount: Expected minor units with at most 6 digits and 4 decimals, such as 7.3300"
          ]
        )
        const none = yield* parley("rate-cards", "list")
        assert.include(none.err, "No rate card is imported.")

        write(
          "DE,marketing,EUR,11.31,2026-10-01",
          "US CA,marketing,EUR,0.0001,2026-10-01",
          "*,utility,EUR,5,2027-01-01"
        )
        const added = yield* parley("rate-cards", "import", path)
        assert.deepStrictEqual([added.code, added.err], [0, "Imported 4 rates."])
        const listed = yield* parley("rate-cards", "list")
        assert.match(listed.out, /EUR\s+marketing\s+DE\s+2026-10-01\s+0\.1131 EUR/u)
        assert.match(listed.out, /EUR\s+utility\s+\*\s+2027-01-01\s+0\.05 EUR/u)

        const removed = yield* parley(
          "rate-cards",
          "remove",
          "--currency",
          "EUR",
          "--valid-from",
          "2026-10-01",
          "--yes"
        )
        assert.deepStrictEqual([removed.code, removed.err], [0, "Removed 3 rates."])
        const missing = yield* parley("rate-cards", "import", `${path}.missing`)
        assert.deepStrictEqual([missing.code, missing.err], [1, `parley: Cannot read ${path}.missing.`])
      })
    )

    it.effect("operator tokens are issued once, listed and revoked", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const scopes = ["--scope", "rate_cards.read", "--scope", "rate_cards.write"]
        const wrong = yield* parley("operator", "token", "issue", "--name", "Rates", "--scope", "everything")
        assert.strictEqual(wrong.code, 2)
        const temporary = ["operator", "token", "issue", "--name", "Rates", ...scopes, "--expires-in"]
        const long = yield* parley(...temporary, "500d")
        assert.deepStrictEqual([long.code, long.out], [2, ""])
        assert.match(long.err, /expires-in.*Expected 1 to 366 days/)
        const short = yield* parley(...temporary, "1d", "--json")
        assert.deepStrictEqual([short.code, short.err], [0, ""])
        yield* parley("operator", "token", "revoke", JSON.parse(short.out).id, "--yes")
        const issued = yield* parley(
          "operator",
          "token",
          "issue",
          "--name",
          "Rates",
          ...scopes,
          "--allowed-address",
          "203.0.113.0/24",
          "--json"
        )
        assert.deepStrictEqual([issued.code, issued.err], [0, ""])
        const { id, token }: { readonly id: string; readonly token: string } = JSON.parse(issued.out)
        const listed = yield* parley("operator", "token", "list", "--json")
        assert.include(listed.out, id)
        assert.include(listed.out, "203.0.113.0/24")
        assert.notInclude(listed.out, token)
        const revoked = yield* parley("operator", "token", "revoke", id, "--yes")
        assert.deepStrictEqual([revoked.code, revoked.out.trim()], [0, `Revoked ${id}.`])
        const after = yield* parley("operator", "token", "list", "--json")
        assert.notInclude(after.out, '"revokedAt": null')
      })
    )

    it("amounts are written exactly, with at least the decimals of their currency", () => {
      const of = (amount: number, currency: string) => fineAmountText({ amount, currency })
      assert.deepStrictEqual(
        [of(73_300, "EUR"), of(1, "EUR"), of(1_000_000, "EUR"), of(0, "EUR"), of(15_000, "JPY"), of(20_000, "JPY")],
        ["0.0733 EUR", "0.000001 EUR", "1.00 EUR", "0.00 EUR", "1.5 JPY", "2 JPY"]
      )
    })
  })
})
