import { assert } from "@effect/vitest"
import { type MessageRate, RateCards, rateKey } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"

const newRate = (changes: Partial<MessageRate> = {}): MessageRate => ({
  country: "DE",
  category: "marketing",
  currency: "XTA",
  amount: 113_100,
  validFrom: "2026-10-01",
  ...changes
})

const sorted = (rates: ReadonlyArray<MessageRate>) =>
  rates.toSorted((one, other) => (rateKey(one).join(" ") < rateKey(other).join(" ") ? -1 : 1))

/** Contract of `RateCards`. Rates belong to no organization, so each test has its own currency. */
export const rateCards: StorageContract = {
  port: "RateCards",
  promises: (it) => {
    it.effect("stores rates by country, category, currency and day, and replaces the same ones", () =>
      Effect.gen(function* () {
        const cards = yield* RateCards
        const currency = "XTA"
        const rates = [
          newRate(),
          newRate({ country: null, amount: 0 }),
          newRate({ category: "authentication_international", amount: 9_999_999_999 }),
          newRate({ validFrom: "2027-01-01" })
        ]
        yield* cards.put(rates)
        yield* cards.put([])
        assert.deepStrictEqual(sorted(yield* cards.find(currency)), sorted(rates))
        yield* cards.put([newRate({ amount: 1 })])
        const amounts = (yield* cards.find(currency)).map(({ amount }) => amount)
        assert.deepStrictEqual(
          amounts.toSorted((one, other) => one - other),
          [0, 1, 113_100, 9_999_999_999]
        )
        assert.deepStrictEqual(yield* cards.find("XTB"), [])
        assert.strictEqual(yield* cards.remove(currency, "2026-10-01"), 3)
        assert.strictEqual(yield* cards.remove(currency, "2026-10-01"), 0)
        assert.strictEqual(yield* cards.remove(currency, "2027-01-01"), 1)
      })
    )

    it.effect("lists rates in pages by their keys", () =>
      Effect.gen(function* () {
        const cards = yield* RateCards
        const rates = sorted(
          (["utility", "marketing"] as const).flatMap((category) =>
            [null, "IN", "BR"].flatMap((country) =>
              ["2026-07-01", "2026-10-01"].map((validFrom) =>
                newRate({ category, country, currency: "XTC", validFrom })
              )
            )
          )
        )
        yield* cards.put(rates)
        const found: Array<MessageRate> = []
        let after: ReadonlyArray<string> = ["XTC", "", "", "0001-01-01"]
        for (let page = 0; page < 4; page += 1) {
          const rows = yield* cards.list({ limit: 4, after })
          const mine = rows.filter(({ currency }) => currency === "XTC")
          found.push(...mine)
          const last = mine.at(-1)
          if (last !== undefined) after = rateKey(last)
        }
        assert.deepStrictEqual(found, rates)
        for (const validFrom of ["2026-07-01", "2026-10-01"]) yield* cards.remove("XTC", validFrom)
      })
    )
  }
}

export const rateCardsContract = runContract(rateCards)
