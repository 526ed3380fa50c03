import { Effect, Latch } from "effect"
import type { WorkName } from "./Lane.ts"

interface Waiting {
  readonly latch: Latch.Latch
  shards: Set<number> | null
}

/** The notifications inside of this process about opened lanes and free shards. */
export const makeWorkNotifications = () => {
  const works = new Map<WorkName, Waiting>()
  const shards = Latch.makeUnsafe()

  const waitingFor = (work: WorkName): Waiting => {
    const known = works.get(work)
    if (known !== undefined) return known
    const awaitWork = { latch: Latch.makeUnsafe(), shards: new Set<number>() }
    works.set(work, awaitWork)
    return awaitWork
  }

  return {
    opened: (work: WorkName, shard: number) => {
      const awaitWork = waitingFor(work)
      awaitWork.shards?.add(shard)
      awaitWork.latch.openUnsafe()
    },
    shardsMoved: () => shards.openUnsafe(),
    /** Notifications may have been missed: everybody has to poll. */
    missed: () => {
      shards.openUnsafe()
      for (const awaitWork of works.values()) {
        awaitWork.shards = null
        awaitWork.latch.openUnsafe()
      }
    },
    awaitOpened: (work: WorkName): Effect.Effect<ReadonlySet<number> | null> =>
      Effect.suspend(() => {
        const awaitWork = waitingFor(work)
        return Effect.map(awaitWork.latch.await, () => {
          awaitWork.latch.closeUnsafe()
          const { shards } = awaitWork
          awaitWork.shards = new Set()
          return shards
        })
      }),
    awaitShards: Effect.andThen(shards.await, shards.close)
  }
}
