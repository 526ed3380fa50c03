import { DateTime, Effect, Schedule } from "effect"
import { outlast, transact } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { RecipientLedger, type RecipientResult } from "../RecipientLedger.ts"

const store = Effect.fnUntraced(function* (id: BroadcastId, results: ReadonlyArray<RecipientResult>, isTold: boolean) {
  const ledger = yield* RecipientLedger
  yield* ledger.settle(id, results)
  const refused = results.filter(({ outcome }) => outcome.kind === "failed").length
  if (refused > 0) yield* (yield* RecipientReservations).giveBack(id, refused)
  if (!isTold) return
  yield* ledger.tell(id, yield* DateTime.now)
  const { stats } = yield* (yield* Broadcasts).get(id)
  yield* appendEvent({ type: "broadcast.progressed", broadcastId: id, stats })
}, transact)

/** Stores what has come of calls, whatever else happens: nobody else knows it. `isTold`: it is time to say how far the broadcast is. */
export const storeResults = (id: BroadcastId, results: ReadonlyArray<RecipientResult>, isTold: boolean) =>
  outlast(store(id, results, isTold)).pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
    Effect.catchCause((cause) => Effect.logError(`What came of recipients of ${id} could not be kept`, cause)),
    Effect.uninterruptible
  )
