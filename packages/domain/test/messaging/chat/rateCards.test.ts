import { assert, describe, it } from "@effect/vitest"
import {
  getRateCard,
  importRateCard,
  listRates,
  makeRateFinder,
  type MessageRate,
  parseFineAmount,
  readRateCard,
  removeRates
} from "@parley/domain/messaging"
import { asOperator, TestKit } from "@parley/testkit"
import { Effect } from "effect"

const encode = (text: string) => new TextEncoder().encode(text)

const header = "country,category,currency,amount,valid_from"

const issues = (text: string) =>
  readRateCard(encode(text)).pipe(
    Effect.flip,
    Effect.map(({ errors }) => errors.map(({ message, pointer }) => `${pointer}: ${message}`))
  )

const rate = (changes: Partial<MessageRate> = {}): MessageRate => ({
  country: "DE",
  category: "marketing",
  currency: "EUR",
  amount: 113_100,
  validFrom: "2026-10-01",
  ...changes
})

describe("an amount", () => {
  it("is converted to ten-thousandths of a minor unit without rounding", () => {
    assert.deepStrictEqual(
      ["7.33", "0", "0.0001", "11.3100", "999999.9999", "5"].map(parseFineAmount),
      [73_300, 0, 1, 113_100, 9_999_999_999, 50_000]
    )
    for (const text of ["7.33333", "1000000", "-1", "1,5", "", "1.", ".5", "1e3", "NaN"]) {
      assert.isNull(parseFineAmount(text), text)
    }
  })
})

describe("a rate card", () => {
  it.effect("has one rate for each country of a line", () =>
    Effect.gen(function* () {
      const file = `${header}\r\nDE,marketing,EUR,11.31,2026-10-01\r\nUS CA,utility,USD,0.34,2026-10-01\r\n*,service,USD,0.5,2026-10-01\r\n`
      assert.deepStrictEqual(yield* readRateCard(encode(file)), [
        rate(),
        rate({ country: "US", category: "utility", currency: "USD", amount: 3_400 }),
        rate({ country: "CA", category: "utility", currency: "USD", amount: 3_400 }),
        rate({ country: null, category: "service", currency: "USD", amount: 5_000 })
      ])
    })
  )

  it.effect("is refused with line and column of every issue", () =>
    Effect.gen(function* () {
      const found = yield* issues(
        `${header}\nDE,marketing,EUR,11.31,2026-10-01\nXX,ads,eur,11.31111,2026-02-30\nDE,marketing,EUR,12,2026-10-01\nFR,utility\n`
      )
      assert.deepStrictEqual(
        found.map((issue) => issue.slice(0, issue.indexOf(":"))),
        [
          "/lines/3/country",
          "/lines/3/category",
          "/lines/3/currency",
          "/lines/3/amount",
          "/lines/3/valid_from",
          "/lines/4/country",
          "/lines/5"
        ]
      )
      assert.include(found[3], "Line 3, column amount: Expected minor units")
      assert.include(found[5], "Line 2 has a rate for DE already")
      assert.deepStrictEqual(
        (yield* issues("country,category,currency,price\nDE,marketing,EUR,1\n")).map((issue) => issue.split(":")[0]),
        ["/lines/1/amount", "/lines/1/valid_from", "/lines/1"]
      )
      assert.lengthOf(yield* issues(header), 1)
      assert.lengthOf(yield* issues(""), 1)
    })
  )

  it.effect("is imported as a whole by an operator, and a later import replaces equal rates", () =>
    Effect.gen(function* () {
      const file = (amount: string, day = "2026-10-01") => encode(`${header}\nDE,marketing,EUR,${amount},${day}\n`)
      yield* importRateCard({ file: file("11.31") })
      yield* importRateCard({ file: file("12", "2027-01-01") })
      yield* importRateCard({ file: file("11.4") })
      yield* Effect.flip(
        importRateCard({ file: encode(`${header}\nDE,marketing,EUR,1,2026-10-01\nDE,x,EUR,1,2026-10-01\n`) })
      )
      const later = { currency: "EUR", validFrom: "2027-01-01" }
      assert.deepStrictEqual((yield* listRates({ page: { limit: 10, cursor: null } })).data, [
        rate({ amount: 114_000 }),
        rate({ amount: 120_000, validFrom: "2027-01-01" })
      ])
      assert.deepStrictEqual((yield* getRateCard(later)).rates, [rate({ amount: 120_000, validFrom: "2027-01-01" })])
      yield* removeRates(later)
      assert.strictEqual((yield* Effect.flip(removeRates(later)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(getRateCard(later)))._tag, "NotFound")
    }).pipe(asOperator, Effect.provide(TestKit.layer))
  )
})

describe("the effective rate", () => {
  const find = makeRateFinder([
    rate(),
    rate({ amount: 2, validFrom: "2027-01-01" }),
    rate({ country: null, amount: 3, validFrom: "2026-01-01" }),
    rate({ country: "FR", amount: 4, validFrom: "2027-01-01" })
  ])
  const amountOf = (country: string | null, day: string, category: string | null = "marketing") =>
    find({ country, category, day })?.amount ?? null

  it("is the newest one that starts on the day of the message or earlier", () => {
    assert.deepStrictEqual(
      ["2026-10-01", "2026-12-31", "2027-01-01", "2030-01-01"].map((day) => amountOf("DE", day)),
      [113_100, 113_100, 2, 2]
    )
  })

  it("is the country's own before the one for other countries, and absent without both", () => {
    assert.deepStrictEqual(
      [
        amountOf("DE", "2026-09-30"),
        amountOf("FR", "2026-12-31"),
        amountOf("FR", "2027-01-01"),
        amountOf("IN", "2026-10-01"),
        amountOf(null, "2026-10-01"),
        amountOf("DE", "2025-12-31"),
        amountOf("DE", "2026-10-01", "utility"),
        amountOf("DE", "2026-10-01", null)
      ],
      [3, 3, 4, 3, 3, null, null, null]
    )
  })
})
