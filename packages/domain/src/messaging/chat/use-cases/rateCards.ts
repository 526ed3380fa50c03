import { Effect } from "effect"
import {
  CurrentOrganization,
  type Currency,
  type LocalDate,
  NotFound,
  paged,
  type PageRequest,
  transact,
  useCase,
  ValidationFailed
} from "../../../kernel/index.ts"
import { platformOrganizationId, recordPlatformAudit } from "../../../platform/identity/index.ts"
import { type MessageRate, RateCard, rateKey, RateCards } from "../pricing/RateCards.ts"
import { readRateCard } from "../pricing/rateCardFile.ts"
import { type NewRates, requireDifferentRates } from "../pricing/rateInput.ts"

/** Maximum number of cards of one import, because each one is an entry in the audit trail. */
const maxCards = 100

/** Number of rates of each card. The currency and the first day name a card. */
const cardsOf = (rates: ReadonlyArray<MessageRate>) => {
  const cards = new Map<string, number>()
  for (const { currency, validFrom } of rates) {
    const name = `${currency} ${validFrom}`
    cards.set(name, (cards.get(name) ?? 0) + 1)
  }
  return Array.from(cards).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

const tooManyCards = {
  pointer: "",
  message: `Expected at most ${maxCards} pairs of currency and first day. Split the rates into several imports`
}

const putRates = Effect.fnUntraced(function* (rates: ReadonlyArray<MessageRate>) {
  const cards = cardsOf(rates)
  if (cards.length > maxCards) return yield* new ValidationFailed({ errors: [tooManyCards] })
  yield* (yield* RateCards).put(rates)
  for (const [id, imported] of cards) {
    yield* recordPlatformAudit("rate_cards.imported", { kind: "rate_cards", id }, { after: { imported } })
  }
  return { imported: rates.length }
})

/** Imports the rates of a CSV file. Rates with the same country, category, currency and day are replaced. */
export const importRateCard = useCase(
  {
    name: "rateCards.import",
    access: "operator",
    operatorScope: "rate_cards.write",
    audit: "rate_cards.imported"
  },
  Effect.fnUntraced(function* ({ file }: { readonly file: Uint8Array }) {
    return yield* putRates(yield* readRateCard(file))
  }, transact)
)

/** Imports rates. Rates with the same country, category, currency and day are replaced. */
export const importRates = useCase(
  {
    name: "rateCards.importRates",
    access: "operator",
    operatorScope: "rate_cards.write",
    audit: "rate_cards.imported"
  },
  Effect.fnUntraced(function* ({ rates }: NewRates) {
    yield* requireDifferentRates(rates)
    return yield* putRates(rates)
  }, transact)
)

/** Lists the imported rates by currency, category, country and first day. */
export const listRates = useCase(
  { name: "rateCards.list", access: "operator", operatorScope: "rate_cards.read" },
  Effect.fnUntraced(
    function* ({ page }: { readonly page: PageRequest }) {
      const cards = yield* RateCards
      return yield* paged("rates", page, cards.list, rateKey)
    },
    Effect.provideService(CurrentOrganization, { id: platformOrganizationId })
  )
)

interface RateCardName {
  readonly currency: Currency
  readonly validFrom: LocalDate
}

/** Returns the rates of a currency that start on a day. */
export const getRateCard = useCase(
  { name: "rateCards.get", access: "operator", operatorScope: "rate_cards.read" },
  Effect.fnUntraced(function* ({ currency, validFrom }: RateCardName) {
    const found = (yield* (yield* RateCards).find(currency)).filter((rate) => rate.validFrom === validFrom)
    if (found.length === 0) return yield* new NotFound({ resource: "rate card", by: "currency and day" })
    const rates = found.toSorted((one, other) => (rateKey(one).join(" ") < rateKey(other).join(" ") ? -1 : 1))
    return new RateCard({ currency, validFrom, rates })
  })
)

/** Removes the rates of a currency that start on a day, for example after an import of a wrong file. */
export const removeRates = useCase(
  {
    name: "rateCards.remove",
    access: "operator",
    operatorScope: "rate_cards.write",
    audit: "rate_cards.removed"
  },
  Effect.fnUntraced(function* ({ currency, validFrom }: RateCardName) {
    const removed = yield* (yield* RateCards).remove(currency, validFrom)
    if (removed === 0) return yield* new NotFound({ resource: "rate card", by: "currency and day" })
    yield* recordPlatformAudit(
      "rate_cards.removed",
      { kind: "rate_cards", id: `${currency} ${validFrom}` },
      { before: { removed } }
    )
  }, transact)
)
