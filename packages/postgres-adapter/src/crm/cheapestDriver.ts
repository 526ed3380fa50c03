import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Driver } from "./drivers.ts"

/** How many contacts an index may give to be sorted in memory. */
export const mostSorted = 5_000

/** The same, for an estimate from a sample, which may be twice too high. */
const mostSampled = 2 * mostSorted

/** Above this share of matches a scan along the order is cheaper than the index. */
const mostShare = 0.05

/** What is known of a list before an index is chosen. */
export interface SampledList {
  /** How many contacts the sample has. */
  readonly sampled: number
  /** How many there are. */
  readonly total: number
  /** How many rows a scan along the order would visit. */
  readonly length: number
}

/**
 * The driver with the fewest contacts, if it is cheaper than a scan along the order and gives few enough to be sorted: a trigram
 * index has to collect all its matches before the first is read. The number is estimated from a sample, because the planner's
 * statistics cover all organizations together.
 */
export const cheapestDriver = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  drivers: ReadonlyArray<Driver>,
  sample: Statement.Fragment,
  { length, sampled, total }: SampledList
) {
  if (drivers.length === 0) return null
  const counts = drivers.map(({ test }) => sql`count(*) FILTER (WHERE ${test})`)
  const [row] = yield* sql<{ readonly hits: ReadonlyArray<number> }>`
    SELECT ARRAY[${sql.join(", ", false)(counts)}]::integer[] AS hits FROM (${sample}) AS c`.unprepared
  const [best] = drivers
    .map((driver, place) => ({ driver, share: (row?.hits[place] ?? 0) / sampled }))
    .toSorted((one, other) => one.share - other.share)
  if (best === undefined || best.share > mostShare) return null
  return best.share * total <= Math.min(length, mostSampled) ? best.driver : null
})
