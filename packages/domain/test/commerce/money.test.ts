import { assert, describe, it } from "@effect/vitest"
import { exponentOf, parseMoney } from "@parley/domain/commerce"
import { Schema } from "effect"

const currencies = ["EUR", "USD", "JPY", "KWD", "CLF"] as const
const Minor = Schema.Int.check(Schema.isBetween({ minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }))

const written = (amountMinor: number, exponent: number): string => {
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, "0")
  const whole = digits.slice(0, digits.length - exponent)
  const decimals = exponent === 0 ? "" : `.${digits.slice(-exponent)}`
  return `${amountMinor < 0 ? "-" : ""}${whole}${decimals}`
}

describe("the money of shops", () => {
  it("has as many decimals as its currency", () => {
    assert.deepStrictEqual(currencies.map(exponentOf), [2, 2, 0, 3, 4])
    assert.deepStrictEqual(parseMoney("19.99", "EUR"), { amountMinor: 1999, currency: "EUR" })
    assert.deepStrictEqual(parseMoney("19.99", "KWD"), { amountMinor: 19_990, currency: "KWD" })
    assert.deepStrictEqual(parseMoney("1999.00", "JPY"), { amountMinor: 1999, currency: "JPY" })
    assert.deepStrictEqual(parseMoney(" 5 ", "EUR"), { amountMinor: 500, currency: "EUR" })
  })

  it.each([
    ["0.004", 0],
    ["0.005", 1],
    ["0.0049999", 0],
    ["1.005", 101],
    ["-0.005", -1],
    ["-1.004", -100],
    ["-0.001", 0]
  ])("rounds %s away from zero at the half", (text, amountMinor) => {
    assert.deepStrictEqual(parseMoney(text, "EUR"), { amountMinor, currency: "EUR" })
  })

  it.each(["", "-", ".5", "5.", "1,99", "1e3", "NaN", "Infinity", "1.2.3", "+1", "0x10", "١", "90071992547409.92"])(
    "is none in %s",
    (text) => {
      assert.isNull(parseMoney(text, "EUR"))
    }
  )

  it.prop(
    "comes back exactly as it was written",
    { amountMinor: Minor, currency: Schema.Literals(currencies) },
    ({ amountMinor, currency }) => {
      const money = { amountMinor: amountMinor === 0 ? 0 : amountMinor, currency }
      assert.deepStrictEqual(parseMoney(written(amountMinor, exponentOf(currency)), currency), money)
    }
  )

  it.prop(
    "is within half a unit of the text for every number of decimals",
    {
      amountMinor: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })),
      rest: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 })),
      currency: Schema.Literals(["EUR", "KWD"])
    },
    ({ amountMinor, currency, rest }) => {
      const text = `${written(amountMinor, exponentOf(currency))}${String(rest).padStart(3, "0")}`
      const expected = amountMinor + (rest >= 500 ? 1 : 0)
      assert.strictEqual(parseMoney(text, currency)?.amountMinor, expected)
      assert.strictEqual(parseMoney(`-${text}`, currency)?.amountMinor, expected === 0 ? 0 : -expected)
    }
  )
})
