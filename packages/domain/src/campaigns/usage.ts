import { DateTime, Effect } from "effect"
import { RecipientReservations } from "./RecipientReservations.ts"

/** The month that it is, by UTC. */
export const thisMonth = Effect.map(DateTime.now, (now) => DateTime.startOf(now, "month"))

/** What broadcasts take of this month. They give back under no lock, as that only makes room. */
export const broadcastRecipientsUse = {
  limit: "broadcastRecipientsPerMonth",
  lock: "broadcast_recipients",
  count: Effect.gen(function* () {
    return yield* (yield* RecipientReservations).takenIn(yield* thisMonth)
  })
} as const
