import { assert, describe, it } from "@effect/vitest"
import { exponentOf, parseMoney } from "@parley/domain/commerce"
import { totalsOf } from "../../src/store/generate.ts"
import { amountText, decimalsOf } from "../../src/store/money.ts"

describe("The simulated provider's amounts", () => {
  it.each([
    [398, "JPY", "398.0"],
    [0, "JPY", "0.0"],
    [-5, "JPY", "-5.0"],
    [1_999, "EUR", "19.99"],
    [7, "EUR", "0.07"],
    [1_234, "KWD", "1.234"],
    [5, "KWD", "0.005"],
    [12_345, "CLF", "1.2345"]
  ])("write %d of %s as %s", (minor, currency, text) => {
    assert.strictEqual(amountText(minor, currency), text)
    assert.deepStrictEqual(parseMoney(text, currency), { amountMinor: minor, currency })
  })

  it("have the decimals of ISO 4217, like the domain", () => {
    for (const currency of ["JPY", "KRW", "VND", "XOF", "ISK", "EUR", "USD", "KWD", "BHD", "OMR", "CLF"]) {
      assert.strictEqual(decimalsOf(currency), exponentOf(currency), currency)
    }
  })

  it("are whole minor units", () => {
    assert.throws(() => amountText(397.9, "JPY"))
    for (const scale of [0.01, 1, 10]) {
      const line = {
        id: 1,
        productId: 1,
        variantId: 1,
        sku: null,
        title: "Cup",
        variantTitle: null,
        quantity: 3,
        currentQuantity: 3,
        unit: 131,
        discount: 1
      }
      for (const amount of Object.values(totalsOf([line], false, scale))) assert.isTrue(Number.isSafeInteger(amount))
    }
  })
})
