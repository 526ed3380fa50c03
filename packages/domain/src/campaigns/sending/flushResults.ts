import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { sendLaneAccountId, type PaceControl } from "../../messaging/inbox/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { type SenderState, type BroadcastSend, retryDailyLimit } from "./BroadcastSend.ts"
import * as limits from "./limits.ts"
import { maxClaimAge } from "./limits.ts"
import { freesCapacity, saveCallResults, publishProgressReliably } from "./saveCallResults.ts"

/** When it is time to say how far a broadcast is; `null` where that was said of the last that is known. */
export const nextProgressAt = ({ isUntold, toldAt }: BroadcastSend): number | null => {
  if (!isUntold) return null
  return toldAt === null ? 0 : DateTime.toEpochMillis(DateTime.addDuration(toldAt, limits.progressInterval))
}

/** Whether it is time to say how far a broadcast is. */
export const isProgressDue = (hand: BroadcastSend, now: DateTime.Utc): boolean => {
  const at = nextProgressAt(hand)
  return at !== null && at <= DateTime.toEpochMillis(now)
}

/** Stores what has come of calls, and says how far the broadcast is where that is due; `isOver`: nothing more comes of it here. */
export const flushResults = Effect.fnUntraced(function* (account: SenderState, hand: BroadcastSend, isOver = false) {
  const { results } = hand
  if (results.length > 0) hand.isUntold = true
  const now = yield* DateTime.now
  const at = nextProgressAt(hand)
  const isTold = at !== null && (isOver || at <= DateTime.toEpochMillis(now))
  if (isTold) {
    hand.toldAt = now
    hand.isUntold = false
  }
  if (results.length === 0) return isTold ? yield* publishProgressReliably(hand.id) : undefined
  hand.results = []
  yield* saveCallResults(hand.id, results, isTold)
  hand.inHand -= results.length
  if (hand.inHand === 0) account.lookAt = 0
  if (results.some(freesCapacity)) retryDailyLimit(account)
})

/** Stores what is left when nothing is sent here any more. */
export const flushAll = (hands: SenderState["hands"]) =>
  Effect.forEach(
    Array.from(hands.values()).filter(({ results }) => results.length > 0),
    ({ id, results }) => saveCallResults(id, results, false),
    { discard: true }
  )

/** Does so for those broadcasts of the account. */
export const flushResultsWhere = (account: SenderState, which: (hand: BroadcastSend) => boolean) =>
  Effect.forEach(Array.from(account.hands.values()).filter(which), (hand) => flushResults(account, hand), {
    discard: true
  })

/** Lets no call of a broadcast start any more, and says so once none is left that could. */
export const stopBroadcastSend = Effect.fnUntraced(function* (account: SenderState, hand: BroadcastSend) {
  hand.isStopping = true
  yield* hand.stopped.open
  if (hand.uncalled > 0) return
  yield* flushResults(account, hand, hand.results.length === hand.inHand)
  if (!hand.isStopSaid) {
    hand.isStopSaid = true
    yield* (yield* RecipientLedger).stop(hand.id, yield* DateTime.now)
  }
  if (hand.inHand === 0) account.hands.delete(hand.id)
})

const markInDoubt = Effect.fnUntraced(function* (lane: LaneLease) {
  // Nothing is in hand before a turn begins: what an earlier turn here has left is in doubt as well.
  const lost = yield* (yield* RecipientLedger).takeOver(sendLaneAccountId(lane), lane.fence + 1, yield* DateTime.now)
  if (lost > 0) yield* (yield* LaneQueue).hold(lane)
  return lost
}, transact)

/** Puts into doubt what former owners have left in hand, who can take nothing in hand from then on. */
export const recoverFromPreviousOwner = Effect.fnUntraced(function* (lane: LaneLease, pace: PaceControl) {
  // Committed before it is looked what is left: a claim comes before it, and is seen, or after it, and is void.
  yield* (yield* RecipientLedger).fenceOff(sendLaneAccountId(lane), lane.fence)
  // One that does not know that it is replaced may call whom it has in hand until they are too stale for it.
  if ((yield* markInDoubt(lane)) > 0) yield* pace.shareFor(maxClaimAge)
})
