import { Effect } from "effect"

/** Deletes in batches until one is not full, so no statement holds many locks. Returns the number of deleted rows. */
export const sweepInBatches = <E, R>(
  sweepSome: (most: number) => Effect.Effect<ReadonlyArray<unknown>, E, R>,
  mostAtOnce = 1_000
) =>
  Effect.gen(function* () {
    let total = 0
    let deleted = 0
    do {
      deleted = (yield* sweepSome(mostAtOnce)).length
      total += deleted
    } while (deleted === mostAtOnce)
    return total
  })
