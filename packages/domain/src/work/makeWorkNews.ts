import { Effect, Latch } from "effect"
import type { WorkName } from "./Lane.ts"

interface Waiting {
  readonly latch: Latch.Latch
  shards: Set<number> | null
}

/** Passes on, inside of this process, that lanes were opened and that shards are to be had. */
export const makeWorkNews = () => {
  const works = new Map<WorkName, Waiting>()
  const shards = Latch.makeUnsafe()

  const waitingFor = (work: WorkName): Waiting => {
    const known = works.get(work)
    if (known !== undefined) return known
    const waiting = { latch: Latch.makeUnsafe(), shards: new Set<number>() }
    works.set(work, waiting)
    return waiting
  }

  return {
    opened: (work: WorkName, shard: number) => {
      const waiting = waitingFor(work)
      waiting.shards?.add(shard)
      waiting.latch.openUnsafe()
    },
    shardsMoved: () => shards.openUnsafe(),
    /** News may have been missed: everybody has to look. */
    missed: () => {
      shards.openUnsafe()
      for (const waiting of works.values()) {
        waiting.shards = null
        waiting.latch.openUnsafe()
      }
    },
    awaitOpened: (work: WorkName): Effect.Effect<ReadonlySet<number> | null> =>
      Effect.suspend(() => {
        const waiting = waitingFor(work)
        return Effect.map(waiting.latch.await, () => {
          waiting.latch.closeUnsafe()
          const { shards } = waiting
          waiting.shards = new Set()
          return shards
        })
      }),
    awaitShards: Effect.andThen(shards.await, shards.close)
  }
}
