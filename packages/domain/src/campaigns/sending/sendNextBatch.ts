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

/** A throttle that is waited for so long is shown. */
const minShownWait = 1_000

/** Since when a broadcast rests whose window is closed; `null` where it is open. */
const nextWindowOpening = ({ broadcast }: BroadcastSend, { zone }: SendContext, now: DateTime.Utc) => {
  const { schedule } = broadcast
  const window = schedule?.zone === "contact" ? null : (schedule?.window ?? null)
  if (window === null) return null
  const opensAt = windowOpensAt(window, toTimeZone(zone), now)
  return DateTime.isGreaterThan(opensAt, now) ? opensAt : null
}

/** The throttle of a broadcast of which nothing was sent here yet: as if its bucket had been emptied by what was claimed last. */
const initialThrottle = (perMinute: number, { claimedAt }: BroadcastSend, now: DateTime.Utc) =>
  claimedAt === null ? fullThrottle(perMinute, millis(now)) : emptyThrottle(perMinute, millis(claimedAt))

/** How many of a broadcast may be taken in hand now, of so many; 0 when it has to wait, which is shown. */
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

/** Gives back what was asked of the throttle and not needed. */
const refundThrottle = (hand: BroadcastSend, unused: number): void => {
  if (hand.throttle === null || unused === 0) return
  const { fullAt, perMinute } = hand.throttle
  hand.throttle = { perMinute, fullAt: fullAt - (60_000 / perMinute) * unused }
}

/** Does what is to be done with a broadcast that cannot be sent as it is. */
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

/** The daily limit is reached: it rests until there may be room, and shows until when there is none. */
const awaitLimit = Effect.fnUntraced(function* (hand: BroadcastSend, freeAt: DateTime.Utc | null) {
  if (freeAt !== null) {
    const again = DateTime.addDuration(yield* DateTime.now, dailyLimitRetryInterval)
    hand.restsUntil = DateTime.toEpochMillis(DateTime.min(freeAt, again))
  }
  yield* saveWaiting(hand, freeAt === null ? null : { reason: "daily_limit", until: freeAt })
})

/** Whoever was found before may have been claimed by then. */
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

/** Takes recipients of a broadcast in hand and calls them; says whether more of it can be sent right after. */
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

/** Sends the next recipients of a broadcast, up to so many, if it can be sent now; says whether more of it can be right after. */
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
  // What it may send was not known before its account was read.
  const size = windowSize(yield* account.pace.rate)
  const limit = yield* batchLimit(hand, Math.min(room, size), surroundings, now)
  return limit > 0 && (yield* Effect.uninterruptible(claimAndCall(account, hand, surroundings, limit, size)))
})
