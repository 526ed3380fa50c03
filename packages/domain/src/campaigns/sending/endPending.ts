import { Effect } from "effect"
import type { Broadcast } from "../Broadcast.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"

/** Nobody who is pending of a broadcast that is locked is sent to, and the plan has room for as many others. */
export const endPending = Effect.fnUntraced(function* ({ id, stats }: Broadcast) {
  yield* (yield* RecipientLedger).end(id)
  if (stats.pending > 0) yield* (yield* RecipientReservations).giveBack(id, stats.pending)
})
