import { DateTime, Effect } from "effect"
import { accountOfLane, type Pace } from "../../messaging/inbox/index.ts"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { mostStale } from "./limits.ts"

const doubt = Effect.fnUntraced(function* (lane: LaneLease) {
  // Nothing is in hand before a turn begins: what an earlier turn here has left is in doubt as well.
  const lost = yield* (yield* RecipientLedger).takeOver(accountOfLane(lane), lane.fence + 1, yield* DateTime.now)
  if (lost > 0) yield* (yield* LaneQueue).hold(lane)
  return lost
}, transact)

/** Puts into doubt what former owners have left in hand, who can take nothing in hand from then on. */
export const takeOver = Effect.fnUntraced(function* (lane: LaneLease, pace: Pace) {
  // Committed before it is looked what is left: a claim comes before it, and is seen, or after it, and is void.
  yield* (yield* RecipientLedger).fenceOff(accountOfLane(lane), lane.fence)
  // One that does not know that it is replaced may call whom it has in hand until they are too stale for it.
  if ((yield* doubt(lane)) > 0) yield* pace.shareFor(mostStale)
})
