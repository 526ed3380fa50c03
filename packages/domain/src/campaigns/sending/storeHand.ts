import { DateTime, Effect } from "effect"
import { type AccountInHand, retryDailyLimit } from "./AccountInHand.ts"
import type { Hand } from "./Hand.ts"
import * as limits from "./limits.ts"
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
