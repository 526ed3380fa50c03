import { Effect, Schema } from "effect"
import { Country } from "../../../crm/index.ts"
import { type ValidationIssue, ValidationFailed } from "../../../kernel/index.ts"
import { MessageRate, rateKey } from "./RateCards.ts"

/** Maximum amount of a rate. It can be multiplied by hundreds of thousands of messages without a loss of precision. */
export const maxRateAmount = 9_999_999_999

/** Maximum number of rates in one request. */
const maxRates = 5_000

/** Maximum number of reported errors. */
const maxIssues = 50

const NewRate = Schema.Struct({
  ...MessageRate.fields,
  country: Schema.NullOr(Country).annotateKey({
    description: "ISO 3166 code of the recipient's country; null for all countries without an own rate."
  }),
  amount: Schema.Int.check(
    Schema.isBetween(
      { minimum: 0, maximum: maxRateAmount },
      { message: `Expected a whole number from 0 to ${maxRateAmount}` }
    )
  ).annotateKey({ description: "Price of one message in 1/10,000 of the smallest unit." })
}).annotate({ identifier: "NewRate" })

/** Rates of an import. */
export const NewRates = Schema.Struct({
  rates: Schema.NonEmptyArray(NewRate).check(
    Schema.isMaxLength(maxRates, { message: `Expected at most ${maxRates} rates` })
  )
}).annotate({ identifier: "NewRates" })
export type NewRates = typeof NewRates.Type

/** Rejects several rates for the same country, category, currency and day. */
export const requireDifferentRates = (rates: NewRates["rates"]) => {
  const places = new Map<string, number>()
  const errors: Array<ValidationIssue> = []
  for (const [place, rate] of rates.entries()) {
    const key = rateKey(rate).join(" ")
    const known = places.get(key)
    if (known === undefined) places.set(key, place)
    else errors.push({ pointer: `/rates/${place}`, message: `The rate at /rates/${known} has the same key` })
  }
  return errors.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors: errors.slice(0, maxIssues) }))
}
