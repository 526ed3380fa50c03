import type { LocalDate } from "../../../kernel/index.ts"
import type { MessageRate } from "./RateCards.ts"

/** Facts that decide the rate of a message. */
export interface RateQuery {
  readonly country: string | null
  readonly category: string | null
  /** Day in UTC. */
  readonly day: LocalDate
}

const placeOf = (country: string | null, category: string) => `${category} ${country ?? ""}`

/**
 * Returns a search for the rate of a message. The newest rate that starts on its day or earlier applies. A rate of the country precedes the rate for
 * other countries. Without a rate the result is `null`, never an estimate.
 */
export const makeRateFinder = (rates: ReadonlyArray<MessageRate>): ((query: RateQuery) => MessageRate | null) => {
  const newestFirst = rates.toSorted((one, other) => (one.validFrom < other.validFrom ? 1 : -1))
  const byPlace = Map.groupBy(newestFirst, ({ category, country }) => placeOf(country, category))
  return ({ category, country, day }) => {
    if (category === null) return null
    const newestOf = (place: string | null) =>
      byPlace.get(placeOf(place, category))?.find(({ validFrom }) => validFrom <= day) ?? null
    return (country === null ? null : newestOf(country)) ?? newestOf(null)
  }
}
