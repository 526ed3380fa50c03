import { DateTime, Effect } from "effect"
import { RecipientLedger } from "../RecipientLedger.ts"
import type { AccountInHand } from "./AccountInHand.ts"
import type { Hand } from "./Hand.ts"
import { storeHand } from "./storeHand.ts"

/** Lets no call of a broadcast start any more, and says so once none is left that could. */
export const stopHand = Effect.fnUntraced(function* (account: AccountInHand, hand: Hand) {
  hand.isStopping = true
  yield* hand.stopped.open
  if (hand.uncalled > 0) return
  yield* storeHand(account, hand, hand.results.length === hand.inHand)
  if (!hand.isStopSaid) {
    hand.isStopSaid = true
    yield* (yield* RecipientLedger).stop(hand.id, yield* DateTime.now)
  }
  if (hand.inHand === 0) account.hands.delete(hand.id)
})
