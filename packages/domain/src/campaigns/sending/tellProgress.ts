import { DateTime, Effect } from "effect"
import { appendEvent } from "../appendEvent.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"

/** Says in the log how far a broadcast is, in a unit of work. */
export const tellProgress = Effect.fnUntraced(function* (id: BroadcastId) {
  yield* (yield* RecipientLedger).tell(id, yield* DateTime.now)
  const { stats } = yield* (yield* Broadcasts).get(id)
  yield* appendEvent({ type: "broadcast.progressed", broadcastId: id, stats })
})
