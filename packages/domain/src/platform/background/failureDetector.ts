import type { WorkNode } from "./Shards.ts"

interface Seen {
  readonly beat: number
  readonly silentMillis: number
}

/** How long a process sends no heartbeat before it is declared dead. */
export const failureTimeoutMillis = 6_000

/** A longer gap between two observations was this process's or the database's own delay, and is not held against the others. */
const longestGap = 3_000

/**
 * Finds processes without a heartbeat for too long. Each process measures that on its own monotonic clock, from when it saw the
 * last heartbeat: clocks need not agree, and a standstill of everything makes nobody look dead.
 */
export const makeFailureDetector = () => {
  let seen: ReadonlyMap<string, Seen> = new Map()
  let lookedAt: number | null = null

  return (nodes: ReadonlyArray<WorkNode>, nowMillis: number): ReadonlyArray<WorkNode> => {
    const passed = lookedAt === null ? 0 : Math.min(nowMillis - lookedAt, longestGap)
    lookedAt = nowMillis
    seen = new Map(
      nodes.map(({ beat, id }) => {
        const before = seen.get(id)
        return [id, { beat, silentMillis: before?.beat === beat ? before.silentMillis + passed : 0 }]
      })
    )
    return nodes.filter(({ id }) => (seen.get(id)?.silentMillis ?? 0) >= failureTimeoutMillis)
  }
}
