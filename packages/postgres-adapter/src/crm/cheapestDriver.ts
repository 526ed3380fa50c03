import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Driver } from "./drivers.ts"

/** Maximum number of contacts from an index that are sorted in memory. */
export const mostSorted = 5_000

/** The same for an estimate from a sample, which can be twice too high. */
const mostSampled = 2 * mostSorted

/** Above this share of matches a scan along the order is cheaper than the index. */
const mostShare = 0.05

/** Known numbers of a list before an index is chosen. */
export interface SampledList {
  /** Number of contacts in the sample. */
  readonly sampled: number
  /** Number of all contacts. */
  readonly total: number
  /** Number of rows that a scan along the order would read. */
  readonly length: number
}

/**
 * The driver with the fewest contacts, if it is cheaper than a scan along the order and its matches can be sorted. A trigram index collects all its
 * matches before the first is read. The number is estimated from a sample, because the planner's statistics cover all organizations together.
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
