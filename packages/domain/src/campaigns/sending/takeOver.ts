import { DateTime, Effect } from "effect"
import { accountOfLane } from "../../inbox/index.ts"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../work/index.ts"
import { RecipientLedger } from "../RecipientLedger.ts"

/** Puts into doubt what former owners have left in hand. */
export const takeOver = Effect.fnUntraced(function* (lane: LaneLease) {
  // Nothing is in hand before a turn begins: what an earlier turn here has left is in doubt as well.
  const lost = yield* (yield* RecipientLedger).takeOver(accountOfLane(lane), lane.fence + 1, yield* DateTime.now)
  if (lost > 0) yield* (yield* LaneQueue).hold(lane)
}, transact)
