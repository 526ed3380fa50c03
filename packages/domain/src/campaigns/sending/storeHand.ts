import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { accountOfLane, type Pace } from "../../messaging/inbox/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { type AccountInHand, type Hand, retryDailyLimit } from "./Hand.ts"
import * as limits from "./limits.ts"
import { mostStale } from "./limits.ts"
import { leavesRoom, storeResults, tellSurely } from "./storeResults.ts"

/** When it is time to say how far a broadcast is; `null` where that was said of the last that is known. */
export const tellAt = ({ isUntold, toldAt }: Hand): number | null => {
  if (!isUntold) return null
  return toldAt === null ? 0 : DateTime.toEpochMillis(DateTime.addDuration(toldAt, limits.tellEvery))
}

/** Whether it is time to say how far a broadcast is. */
export const isTellDue = (hand: Hand, now: DateTime.Utc): boolean => {
  const at = tellAt(hand)
  return at !== null && at <= DateTime.toEpochMillis(now)
}

/** Stores what has come of calls, and says how far the broadcast is where that is due; `isOver`: nothing more comes of it here. */
export const storeHand = Effect.fnUntraced(function* (account: AccountInHand, hand: Hand, isOver = false) {
  const { results } = hand
  if (results.length > 0) hand.isUntold = true
  const now = yield* DateTime.now
  const at = tellAt(hand)
  const isTold = at !== null && (isOver || at <= DateTime.toEpochMillis(now))
  if (isTold) {
    hand.toldAt = now
    hand.isUntold = false
  }
  if (results.length === 0) return isTold ? yield* tellSurely(hand.id) : undefined
  hand.results = []
  yield* storeResults(hand.id, results, isTold)
  hand.inHand -= results.length
  if (hand.inHand === 0) account.lookAt = 0
  if (results.some(leavesRoom)) retryDailyLimit(account)
})

/** Stores what is left when nothing is sent here any more. */
export const storeRest = (hands: AccountInHand["hands"]) =>
  Effect.forEach(
    Array.from(hands.values()).filter(({ results }) => results.length > 0),
    ({ id, results }) => storeResults(id, results, false),
    { discard: true }
  )

/** Does so for those broadcasts of the account. */
export const storeHands = (account: AccountInHand, which: (hand: Hand) => boolean) =>
  Effect.forEach(Array.from(account.hands.values()).filter(which), (hand) => storeHand(account, hand), {
    discard: true
  })

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
