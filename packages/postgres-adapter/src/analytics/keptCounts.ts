import { type Count, type Scope, wholeOrganization } from "@parley/domain/analytics"

/** A stored count: its figure, quarter hour, step and amount, and the positions of its scopes. */
type StoredCount = readonly [
  figure: string,
  quarter: number,
  step: number,
  amount: number,
  scopes: ReadonlyArray<number>
]

/**
 * Stored counts of a record, with each scope once. The whole organization is position 0 and not stored. Each message has such a row, so every byte
 * counts.
 */
export interface StoredCounts {
  readonly s: ReadonlyArray<Scope>
  readonly c: ReadonlyArray<StoredCount>
}

export const stored = (counts: ReadonlyArray<Count>): StoredCounts => {
  const places = new Map<Scope, number>([[wholeOrganization, 0]])
  const placeOf = (scope: Scope) => {
    const place = places.get(scope) ?? places.size
    places.set(scope, place)
    return place
  }
  const c = counts.map(({ amount, figure, quarter, scopes, step }): StoredCount => [
    figure,
    quarter,
    step,
    amount,
    scopes.map(placeOf)
  ])
  return { s: [...places.keys()].slice(1), c }
}

export const restored = ({ c, s }: StoredCounts): ReadonlyArray<Count> => {
  const scopes = [wholeOrganization, ...s]
  return c.map(([figure, quarter, step, amount, places]) => ({
    figure,
    quarter,
    step,
    amount,
    scopes: places.flatMap((place) => scopes[place] ?? [])
  }))
}
