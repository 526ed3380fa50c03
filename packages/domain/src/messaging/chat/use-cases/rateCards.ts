import { Effect } from "effect"
import { type Currency, type LocalDate, NotFound, useCase } from "../../../kernel/index.ts"
import { type MessageRate, rateKey, RateCards } from "../pricing/RateCards.ts"
import { readRateCard } from "../pricing/rateCardFile.ts"

/** Imports the rates of a CSV file. Rates with the same country, category, currency and day are replaced. */
export const importRateCard = useCase(
  { name: "rateCards.import", access: "operator" },
  Effect.fnUntraced(function* ({ file }: { readonly file: Uint8Array }) {
    const rates = yield* readRateCard(file)
    yield* (yield* RateCards).put(rates)
    return rates
  })
)

const pageSize = 1_000

/** Lists all imported rates. */
export const listRates = useCase(
  { name: "rateCards.list", access: "operator" },
  Effect.fnUntraced(function* () {
    const cards = yield* RateCards
    const all: Array<MessageRate> = []
    for (;;) {
      const last = all.at(-1)
      const page = yield* cards.list({ limit: pageSize, after: last === undefined ? null : rateKey(last) })
      all.push(...page)
      if (page.length < pageSize) return all
    }
  })
)

/** Removes the rates of a currency that start on a day, for example after an import of a wrong file. */
export const removeRates = useCase(
  { name: "rateCards.remove", access: "operator" },
  Effect.fnUntraced(function* ({
    currency,
    validFrom
  }: {
    readonly currency: Currency
    readonly validFrom: LocalDate
  }) {
    const removed = yield* (yield* RateCards).remove(currency, validFrom)
    return removed === 0 ? yield* new NotFound({ resource: "rate card" }) : removed
  })
)
