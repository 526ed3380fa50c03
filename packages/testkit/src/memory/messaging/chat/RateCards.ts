import { RateCards, rateKey } from "@parley/domain/messaging"
import { Effect, HashMap, Layer } from "effect"
import { byKeys } from "../../store/byCodePoints.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  RateCards,
  Effect.map(Store, (store) =>
    RateCards.of({
      put: (rates) =>
        store.write((state) => [
          undefined,
          {
            ...state,
            rates: rates.reduce((rows, rate) => HashMap.set(rows, rateKey(rate).join(" "), rate), state.rates)
          }
        ]),
      list: ({ after, limit }) =>
        store.read(({ rates }) =>
          HashMap.toValues(rates)
            .filter((rate) => after === null || byKeys(rateKey(rate), after) > 0)
            .toSorted((one, other) => byKeys(rateKey(one), rateKey(other)))
            .slice(0, limit)
        ),
      find: (currency) =>
        store.read(({ rates }) => HashMap.toValues(rates).filter((rate) => rate.currency === currency)),
      remove: (currency, validFrom) =>
        store.write((state) => {
          const kept = HashMap.filter(state.rates, (rate) => rate.currency !== currency || rate.validFrom !== validFrom)
          return [HashMap.size(state.rates) - HashMap.size(kept), { ...state, rates: kept }]
        })
    })
  )
)
