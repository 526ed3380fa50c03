import type { WorkNode } from "./Shards.ts"

interface Seen {
  readonly beat: number
  readonly silentMillis: number
}

/** How long a process is silent before it is declared dead. */
export const silenceOfTheDead = 6_000

/** A look that comes later than this was kept up by this process, or by the database: the others are not to blame. */
const longestLook = 3_000

/**
 * Who has been silent for too long. Each process measures it by its own monotonic clock, from when it has seen the last
 * sign of life: clocks need not agree, and nobody looks dead after a standstill that kept all of them silent.
 */
export const makeSilence = () => {
  let seen: ReadonlyMap<string, Seen> = new Map()
  let lookedAt: number | null = null

  return (nodes: ReadonlyArray<WorkNode>, nowMillis: number): ReadonlyArray<WorkNode> => {
    const passed = lookedAt === null ? 0 : Math.min(nowMillis - lookedAt, longestLook)
    lookedAt = nowMillis
    seen = new Map(
      nodes.map(({ beat, id }) => {
        const before = seen.get(id)
        return [id, { beat, silentMillis: before?.beat === beat ? before.silentMillis + passed : 0 }]
      })
    )
    return nodes.filter(({ id }) => (seen.get(id)?.silentMillis ?? 0) >= silenceOfTheDead)
  }
}
