import { DateTime, Effect, FiberSet } from "effect"
import type { AccountInHand } from "./AccountInHand.ts"
import { callRecipient } from "./callRecipient.ts"
import { claimNext } from "./claimNext.ts"
import { claimWindow } from "./claimWindow.ts"
import type { Hand } from "./Hand.ts"
import { tryLimitEvery, windowOf } from "./limits.ts"
import { giveBackRoom, roomOf } from "./roomOf.ts"
import { showWaiting } from "./showWaiting.ts"
import { standDown } from "./standDown.ts"
import { stopHand } from "./stopHand.ts"
import { storeHand } from "./storeHand.ts"
import { readSurroundings, type Surroundings } from "./Surroundings.ts"

/** The daily limit is reached: it rests until there may be room, and shows until when there is none. */
const awaitLimit = Effect.fnUntraced(function* (hand: Hand, freeAt: DateTime.Utc | null) {
  if (freeAt !== null) {
    const again = DateTime.addDuration(yield* DateTime.now, tryLimitEvery)
    hand.restsUntil = DateTime.toEpochMillis(DateTime.min(freeAt, again))
  }
  yield* showWaiting(hand, freeAt === null ? null : { reason: "daily_limit", until: freeAt })
})

/** Whoever was found before may have been claimed by then. */
const claimByParts = Effect.fnUntraced(function* (
  account: AccountInHand,
  hand: Hand,
  surroundings: Surroundings,
  limit: number
) {
  hand.ahead = null
  yield* storeHand(account, hand)
  return yield* claimWindow(account.lane, hand.broadcast, surroundings, limit)
})

/** Takes recipients of a broadcast in hand and calls them; says whether more of it can be sent right after. */
const begin = Effect.fnUntraced(function* (
  account: AccountInHand,
  hand: Hand,
  surroundings: Surroundings,
  limit: number,
  ahead: number
) {
  const claimed =
    (yield* claimNext(account.lane, hand, surroundings, { limit, ahead })) ??
    (yield* claimByParts(account, hand, surroundings, limit))
  if (claimed === null) {
    yield* stopHand(account, hand)
    return false
  }
  const { calls, freeAt, isAll, wait } = claimed
  yield* awaitLimit(hand, freeAt)
  account.turns.charge(hand.id, Math.max(1, calls.length))
  hand.inHand += calls.length
  hand.uncalled += calls.length
  if (wait !== null) hand.wait = wait
  giveBackRoom(hand, limit - calls.length)
  const { id: chatAccountId, pace, silence } = account
  const calling = { chatAccountId, pace, silence, failures: () => account.standing.failures }
  for (const call of calls) {
    const fiber = yield* FiberSet.run(account.running, callRecipient(hand, call, surroundings, calling))
    fiber.addObserver(() => {
      if (hand.uncalled === 0 || hand.results.length === hand.inHand) account.changed.openUnsafe()
    })
  }
  return !isAll && freeAt === null
})

/** Sends the next recipients of a broadcast, up to so many, if it can be sent now; says whether more of it can be right after. */
export const serveHand = Effect.fnUntraced(function* (
  account: AccountInHand,
  hand: Hand,
  room: number,
  now: DateTime.Utc
) {
  const surroundings = hand.surroundings ?? (yield* readSurroundings(hand.broadcast, account.files))
  if (surroundings.unfit !== undefined) {
    yield* standDown(hand.id, surroundings, account.id)
    return false
  }
  hand.surroundings = surroundings
  yield* account.pace.allow(surroundings.account.throughputPerSecond)
  // What it may send was not known before its account was read.
  const size = windowOf(yield* account.pace.rate)
  const limit = yield* roomOf(hand, Math.min(room, size), surroundings, now)
  return limit > 0 && (yield* Effect.uninterruptible(begin(account, hand, surroundings, limit, size)))
})
