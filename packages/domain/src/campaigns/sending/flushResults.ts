import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { sendLaneAccountId, type PaceControl } from "../../messaging/inbox/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { type SenderState, type BroadcastSend, retryDailyLimit } from "./BroadcastSend.ts"
import * as limits from "./limits.ts"
import { maxClaimAge } from "./limits.ts"
import { freesCapacity, saveCallResults, publishProgressReliably } from "./saveCallResults.ts"

/** Returns the time of the next progress event; `null` if the last one is current. */
export const nextProgressAt = ({ isUntold, toldAt }: BroadcastSend): number | null => {
  if (!isUntold) return null
  return toldAt === null ? 0 : DateTime.toEpochMillis(DateTime.addDuration(toldAt, limits.progressInterval))
}

/** Whether a progress event is due. */
export const isProgressDue = (hand: BroadcastSend, now: DateTime.Utc): boolean => {
  const at = nextProgressAt(hand)
  return at !== null && at <= DateTime.toEpochMillis(now)
}

/** Stores call results and publishes due progress. `isOver`: this sender adds no more results. */
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

/** Stores the remaining results after the end of sending. */
export const flushAll = (hands: SenderState["hands"]) =>
  Effect.forEach(
    Array.from(hands.values()).filter(({ results }) => results.length > 0),
    ({ id, results }) => saveCallResults(id, results, false),
    { discard: true }
  )

/** Stores the results of the selected broadcasts. */
export const flushResultsWhere = (account: SenderState, which: (hand: BroadcastSend) => boolean) =>
  Effect.forEach(Array.from(account.hands.values()).filter(which), (hand) => flushResults(account, hand), {
    discard: true
  })

/** Prevents new calls of a broadcast and records the stop after the last possible call start. */
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
  // A new turn has no recipients in flight, so those of an earlier turn of this process are in doubt too.
  const lost = yield* (yield* RecipientLedger).takeOver(sendLaneAccountId(lane), lane.fence + 1, yield* DateTime.now)
  if (lost > 0) yield* (yield* LaneQueue).hold(lane)
  return lost
}, transact)

/** Puts recipients that earlier owners left in flight in doubt, and rejects later claims of these owners. */
export const recoverFromPreviousOwner = Effect.fnUntraced(function* (lane: LaneLease, pace: PaceControl) {
  // Commits before the read: an earlier claim is visible to it, and a later one is void.
  yield* (yield* RecipientLedger).fenceOff(sendLaneAccountId(lane), lane.fence)
  // A replaced owner that does not know it can still call its claimed recipients until the claim is too old.
  if ((yield* markInDoubt(lane)) > 0) yield* pace.shareFor(maxClaimAge)
})
