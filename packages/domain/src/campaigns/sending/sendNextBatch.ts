import { DateTime, Effect, FiberSet } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { windowOpensAt } from "../timing/quietHours.ts"
import { type SenderState, type BroadcastSend, saveWaiting } from "./BroadcastSend.ts"
import { loadSendContext, type SendContext, type Unsendable, toTimeZone } from "./SendContext.ts"
import { callRecipient } from "./callRecipient.ts"
import { failForRemovedAccount, pauseAccountBroadcasts, pauseAutomatically } from "./changeStatus.ts"
import { claimNext } from "./claimNext.ts"
import { claimWindow } from "./claimWindow.ts"
import { dailyLimitRetryInterval, windowSize } from "./limits.ts"
import { stopBroadcastSend, flushResults } from "./flushResults.ts"
import { emptyThrottle, fullThrottle, takeFromThrottle } from "./throttle.ts"

const millis = DateTime.toEpochMillis

/** Shorter throttle waits are not displayed, in milliseconds. */
const minShownWait = 1_000

/** Returns the opening time of a closed window; `null` while it is open. */
const nextWindowOpening = ({ broadcast }: BroadcastSend, { zone }: SendContext, now: DateTime.Utc) => {
  const { schedule } = broadcast
  const window = schedule?.zone === "contact" ? null : (schedule?.window ?? null)
  if (window === null) return null
  const opensAt = windowOpensAt(window, toTimeZone(zone), now)
  return DateTime.isGreaterThan(opensAt, now) ? opensAt : null
}

/** Returns the throttle before the first send by this process, as if the latest claim had emptied the bucket. */
const initialThrottle = (perMinute: number, { claimedAt }: BroadcastSend, now: DateTime.Utc) =>
  claimedAt === null ? fullThrottle(perMinute, millis(now)) : emptyThrottle(perMinute, millis(claimedAt))

/** Returns how many of these recipients can be claimed now; 0 with a stored wait if none. */
const batchLimit = Effect.fnUntraced(function* (
  hand: BroadcastSend,
  room: number,
  surroundings: SendContext,
  now: DateTime.Utc
) {
  const opensAt = nextWindowOpening(hand, surroundings, now)
  if (opensAt !== null) {
    hand.restsUntil = millis(opensAt)
    yield* saveWaiting(hand, { reason: "window", until: opensAt })
    return 0
  }
  const { throttle } = hand.broadcast
  if (throttle === null) return room
  const before = hand.throttle ?? initialThrottle(throttle.perMinute, hand, now)
  const { granted, nextAt, throttle: after } = takeFromThrottle(before, millis(now), room)
  hand.throttle = after
  if (granted > 0) return granted
  hand.restsUntil = nextAt
  if (nextAt - millis(now) >= minShownWait) {
    yield* saveWaiting(hand, { reason: "throttle", until: DateTime.makeUnsafe(nextAt) })
  }
  return 0
})

/** Returns unused messages to the throttle. */
const refundThrottle = (hand: BroadcastSend, unused: number): void => {
  if (hand.throttle === null || unused === 0) return
  const { fullAt, perMinute } = hand.throttle
  hand.throttle = { perMinute, fullAt: fullAt - (60_000 / perMinute) * unused }
}

/** Handles a broadcast that cannot be sent in its current state. */
const handleUnsendable = Effect.fnUntraced(function* (id: BroadcastId, { unfit }: Unsendable, account: ChatAccountId) {
  switch (unfit) {
    case "suspended":
      return yield* pauseAccountBroadcasts(account, "suspended")
    case "chat_account_disconnected":
      return yield* pauseAccountBroadcasts(account, "account")
    case "template":
      return yield* pauseAutomatically(id, "template")
    case "chat_account_removed":
      return yield* failForRemovedAccount(id)
  }
})

/** Delays the broadcast until the daily limit can have capacity, and stores the wait. */
const awaitLimit = Effect.fnUntraced(function* (hand: BroadcastSend, freeAt: DateTime.Utc | null) {
  if (freeAt !== null) {
    const again = DateTime.addDuration(yield* DateTime.now, dailyLimitRetryInterval)
    hand.restsUntil = DateTime.toEpochMillis(DateTime.min(freeAt, again))
  }
  yield* saveWaiting(hand, freeAt === null ? null : { reason: "daily_limit", until: freeAt })
})

/** Candidates that were found earlier can be claimed by then. */
const claimByParts = Effect.fnUntraced(function* (
  account: SenderState,
  hand: BroadcastSend,
  surroundings: SendContext,
  limit: number
) {
  hand.ahead = null
  yield* flushResults(account, hand)
  return yield* claimWindow(account.lane, hand.broadcast, surroundings, limit)
})

/** Claims recipients of a broadcast and calls them. Returns whether more can be sent right after. */
const claimAndCall = Effect.fnUntraced(function* (
  account: SenderState,
  hand: BroadcastSend,
  surroundings: SendContext,
  limit: number,
  ahead: number
) {
  const claimed =
    (yield* claimNext(account.lane, hand, surroundings, { limit, ahead })) ??
    (yield* claimByParts(account, hand, surroundings, limit))
  if (claimed === null) {
    yield* stopBroadcastSend(account, hand)
    return false
  }
  const { calls, freeAt, isAll, wait } = claimed
  yield* awaitLimit(hand, freeAt)
  account.turns.charge(hand.id, Math.max(1, calls.length))
  hand.inHand += calls.length
  hand.uncalled += calls.length
  if (wait !== null) hand.wait = wait
  refundThrottle(hand, limit - calls.length)
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

/** Sends the next recipients of a broadcast, up to `room`. Returns whether more can be sent right after. */
export const sendNextBatch = Effect.fnUntraced(function* (
  account: SenderState,
  hand: BroadcastSend,
  room: number,
  now: DateTime.Utc
) {
  const surroundings = hand.surroundings ?? (yield* loadSendContext(hand.broadcast, account.files))
  if (surroundings.unfit !== undefined) {
    yield* handleUnsendable(hand.id, surroundings, account.id)
    return false
  }
  hand.surroundings = surroundings
  yield* account.pace.allow(surroundings.account.throughputPerSecond)
  // The rate of the account is unknown before its read.
  const size = windowSize(yield* account.pace.rate)
  const limit = yield* batchLimit(hand, Math.min(room, size), surroundings, now)
  return limit > 0 && (yield* Effect.uninterruptible(claimAndCall(account, hand, surroundings, limit, size)))
})
