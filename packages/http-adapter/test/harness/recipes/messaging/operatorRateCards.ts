import { type MessageRate, RateCards } from "@parley/domain/messaging"
import { Effect } from "effect"
import type { Recipe } from "../../Recipe.ts"

const rateOf = (currency: string): MessageRate => ({
  country: "DE",
  category: "marketing",
  currency,
  amount: 113_100,
  validFrom: "2026-10-01"
})

const onCard =
  (currency: string): Recipe =>
  () =>
    Effect.gen(function* () {
      const rate = rateOf(currency)
      yield* (yield* RateCards).put([rate])
      return { params: { currency, validFrom: rate.validFrom } }
    })

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "operatorRateCards.list": () =>
    Effect.as(
      Effect.flatMap(RateCards, (cards) => cards.put([rateOf("XTL")])),
      {}
    ),
  "operatorRateCards.import": () => Effect.succeed({ body: { rates: [rateOf("XTI")] } }),
  "operatorRateCards.importFile": () =>
    Effect.succeed({
      text: "country,category,currency,amount,valid_from\nDE,marketing,XTF,11.31,2026-10-01\n",
      headers: { "content-type": "text/csv" }
    }),
  "operatorRateCards.get": onCard("XTG"),
  "operatorRateCards.delete": onCard("XTD")
}
