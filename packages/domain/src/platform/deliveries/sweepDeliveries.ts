import { DateTime, Effect } from "effect"
import { Deliveries } from "./Deliveries.ts"

/**
 * Providers deliver again for a week; what is known for longer than that is not taken for new. What is parked waits longer
 * for somebody to look at it, but not forever: people's words are in it, and who is erased must be gone within a month.
 */
const keptDays = { applied: 14, parked: 30 }

const mostAtOnce = 1_000

const sweepSome = Effect.fnUntraced(function* (state: keyof typeof keptDays) {
  const before = DateTime.subtract(yield* DateTime.now, { days: keptDays[state] })
  return yield* (yield* Deliveries).sweep(state, before, mostAtOnce)
})

/** Deletes the deliveries of the organization that were applied long ago, and those that nobody has looked after for even longer. */
export const sweepDeliveries = Effect.forEach(
  ["applied", "parked"] as const,
  (state) => Effect.repeat(sweepSome(state), { while: (swept) => swept === mostAtOnce }),
  { discard: true }
)
