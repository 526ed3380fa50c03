import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Driver } from "./drivers.ts"

/** How many contacts are gathered and sorted without a thought. */
export const mostGathered = 5_000

/** How many there may be by a sample, which may have met twice as many of them as there are. */
const mostDrawn = 2 * mostGathered

/** What more than these have is met on a walk, or nobody is looked for who has it. */
const mostShare = 0.05

/** What is known before a way is chosen. */
export interface Prospect {
  /** How many contacts the sample has. */
  readonly sampled: number
  /** How many there are. */
  readonly total: number
  /** How long a walk along the order would be. */
  readonly length: number
}

/**
 * The way to the fewest contacts, if it is shorter than a walk along the order, and they may be few enough to be gathered: an
 * index of words has to name all that it knows before the first is read. How many there are is told from a sample, because
 * the planner knows the rows of all organizations only, not those of one.
 */
export const promising = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  drivers: ReadonlyArray<Driver>,
  sample: Statement.Fragment,
  { length, sampled, total }: Prospect
) {
  if (drivers.length === 0) return null
  const counts = drivers.map(({ test }) => sql`count(*) FILTER (WHERE ${test})`)
  const [row] = yield* sql<{ readonly hits: ReadonlyArray<number> }>`
    SELECT ARRAY[${sql.join(", ", false)(counts)}]::integer[] AS hits FROM (${sample}) AS c`.unprepared
  const [best] = drivers
    .map((driver, place) => ({ driver, share: (row?.hits[place] ?? 0) / sampled }))
    .toSorted((one, other) => one.share - other.share)
  if (best === undefined || best.share > mostShare) return null
  return best.share * total <= Math.min(length, mostDrawn) ? best.driver : null
})
