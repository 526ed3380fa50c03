import { Context, Effect } from "effect"

/** What is done when the unit of work at hand is committed; `null` outside of one. Whoever runs units of work does it, in this order. */
export const Afterwards = Context.Reference<Array<Effect.Effect<void>> | null>("@parley/domain/kernel/Afterwards", {
  defaultValue: () => null
})

/**
 * Does it once the unit of work is committed, the outermost one, before whoever asked for that goes on; at once outside of any. It runs in
 * what surrounds that unit of work: the transaction is over by then.
 */
export const afterCommit = <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.flatMap(Afterwards, (afterwards) =>
    afterwards === null
      ? effect
      : Effect.sync(() => {
          // Whatever a unit of work needs, but for the transaction, it has from its surroundings.
          afterwards.push(effect as Effect.Effect<void>)
        })
  )
