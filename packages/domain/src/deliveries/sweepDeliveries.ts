import { DateTime, Effect } from "effect"
import { DeliveryInbox } from "./Deliveries.ts"

/** Providers deliver again for a week; what is known for longer than that is not taken for new. */
const keptDays = 14

const mostAtOnce = 1_000

const sweepSome = Effect.gen(function* () {
  const before = DateTime.subtract(yield* DateTime.now, { days: keptDays })
  return yield* (yield* DeliveryInbox).sweep(before, mostAtOnce)
})

/** Deletes the deliveries that were applied long ago. */
export const sweepDeliveries = Effect.repeat(sweepSome, { while: (swept) => swept === mostAtOnce }).pipe(Effect.asVoid)
