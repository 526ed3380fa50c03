import { DateTime, Duration, Effect, FiberSet } from "effect"
import { transact } from "../../kernel/index.ts"
import { SendQueue } from "../../messaging/inbox/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { type ActiveBroadcast, RecipientLedger } from "../RecipientLedger.ts"
import { type SenderState, type BroadcastSend, newBroadcastSend, saveWaiting } from "./BroadcastSend.ts"
import { recallBatchSize } from "./limits.ts"
import { nextAutomaticStep } from "./nextAutomaticStep.ts"
import { stopBroadcastSend } from "./flushResults.ts"
import { freezeAudience, runAutomaticStep } from "./runAutomaticStep.ts"

const millis = DateTime.toEpochMillis

/** Loads the current broadcast, with a read only after changes. */
const loadBroadcast = Effect.fnUntraced(function* ({ hands }: SenderState, { broadcastId, version }: ActiveBroadcast) {
  const known = hands.get(broadcastId)
  if (known !== undefined && known.broadcast.version === version) return known.broadcast
  const broadcasts = yield* Broadcasts
  return yield* Effect.catchTag(broadcasts.get(broadcastId), "NotFound", () => Effect.succeed(null))
})

/** Freezes the audience of a broadcast, concurrently with sending. */
const freeze = Effect.fnUntraced(function* (account: SenderState, hand: BroadcastSend) {
  hand.isFreezing = true
  const onPart = Effect.sync(() => {
    account.lookAt = 0
    account.changed.openUnsafe()
  })
  const fiber = yield* FiberSet.run(account.running, freezeAudience(hand.id, account.lane, onPart))
  fiber.addObserver(() => {
    hand.isFreezing = false
  })
})

const findOrCreateSend = (
  { hands }: SenderState,
  broadcast: Broadcast,
  { claimedAt, toldAt }: ActiveBroadcast
): BroadcastSend => {
  const hand = hands.get(broadcast.id) ?? newBroadcastSend(broadcast, { claimedAt, toldAt })
  hand.broadcast = broadcast
  return hand
}

/** Stops a broadcast that is not sending. A resumed one continues after all earlier results are stored. */
const applyStatus = Effect.fnUntraced(function* (account: SenderState, { broadcastId, status }: ActiveBroadcast) {
  const hand = account.hands.get(broadcastId)
  if (hand === undefined) return
  if (status !== "sending") yield* stopBroadcastSend(account, hand)
  else if (hand.isStopping && hand.inHand === 0) account.hands.delete(broadcastId)
})

/** Due times of sending, which waits while the account rests, and of other work. */
interface Times {
  readonly sending: Array<number>
  readonly others: Array<number>
}

/** Retries are due within seconds, so they are not shown. */
const minVisibleWait = Duration.minutes(1)

/** Wait reason of the next due recipient; `null` for retries. After a takeover, the stored reason of a delayed recipient applies. */
const nextWaiting = (hand: BroadcastSend, { isNextPutOff, nextDueAt }: ActiveBroadcast, now: DateTime.Utc) => {
  if (nextDueAt === null) return null
  if (isNextPutOff) return hand.wait
  const { schedule } = hand.broadcast
  const followsContacts = schedule?.localAt !== undefined && schedule.zone === "contact"
  const isVisible = DateTime.isGreaterThan(nextDueAt, DateTime.addDuration(now, minVisibleWait))
  return followsContacts && isVisible ? "local_time" : null
}

/** Runs the due step of a broadcast and returns whether it can be sent now. */
const reconcileBroadcast = Effect.fnUntraced(function* (
  account: SenderState,
  each: ActiveBroadcast,
  rests: DateTime.Utc | null,
  times: Times,
  now: DateTime.Utc
) {
  const broadcast = yield* loadBroadcast(account, each)
  if (broadcast === null) return false
  yield* applyStatus(account, each)
  const { at, by, step } = nextAutomaticStep(each, broadcast, yield* (yield* Organizations).current(), now)
  if (step !== null) {
    yield* runAutomaticStep(broadcast, step)
    // The completion publishes the progress.
    const hand = account.hands.get(broadcast.id)
    if (step === "complete" && hand !== undefined) hand.isUntold = false
    times.others.push(millis(now))
    return false
  }
  const { isFrozen, isRecalled, listed, mark, nextDueAt, status } = each
  if (isRecalled && status === "sending") {
    yield* transact((yield* RecipientLedger).recall(broadcast.id, now, recallBatchSize))
    times.others.push(millis(now))
  }
  const isSending = status === "sending"
  const isDue = isSending && (mark < listed || (nextDueAt !== null && DateTime.isLessThanOrEqualTo(nextDueAt, now)))
  if (by !== null) times.others.push(millis(by))
  if (at !== null && (!isDue || rests !== null)) times.sending.push(millis(at))
  const hand = findOrCreateSend(account, broadcast, each)
  if (!isSending || hand.isStopping) return false
  account.hands.set(hand.id, hand)
  if (!isFrozen && !hand.isFreezing) yield* freeze(account, hand)
  if (rests !== null) {
    yield* saveWaiting(hand, { reason: "account_resting", until: rests })
    return false
  }
  const reason = nextWaiting(hand, each, now)
  if (!isDue && hand.inHand === 0 && reason !== null) yield* saveWaiting(hand, { reason, until: nextDueAt })
  return isDue
})

const earliest = (times: ReadonlyArray<number>): number | null => {
  const first = Math.min(...times)
  return Number.isFinite(first) ? first : null
}

/** Reloads the broadcasts, runs due transitions and selects the sendable ones. */
export const reconcile = Effect.fnUntraced(function* (account: SenderState, now: DateTime.Utc) {
  for (const hand of account.hands.values()) hand.surroundings = null
  account.standing = yield* (yield* SendQueue).standing(account.id)
  const active = yield* (yield* RecipientLedger).active(account.id)
  const { restsUntil } = account.standing
  const rests = restsUntil !== null && DateTime.isGreaterThan(restsUntil, now) ? restsUntil : null
  const times: Times = { sending: [], others: [] }
  const ready = yield* Effect.filter(active, (each) => reconcileBroadcast(account, each, rests, times, now))
  for (const hand of account.hands.values()) {
    if (active.some(({ broadcastId }) => broadcastId === hand.id)) continue
    yield* stopBroadcastSend(account, hand)
    account.hands.delete(hand.id)
  }
  account.ready = ready.map(({ broadcastId }) => broadcastId)
  const sendingAt = times.sending.map((at) => (rests === null ? at : Math.max(at, millis(rests))))
  account.dueAt = earliest([...times.others, ...sendingAt])
})
