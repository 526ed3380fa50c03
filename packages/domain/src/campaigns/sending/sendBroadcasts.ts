import { DateTime, Duration, Effect, FiberSet } from "effect"
import { layerPort } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { BulkSender, sendLaneAccountId, type SendingTurn, SendQueue } from "../../messaging/inbox/index.ts"
import type { LaneLease } from "../../platform/background/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import {
  type SenderState,
  type BroadcastSend,
  inFlightCount,
  newSenderState,
  retryDailyLimit,
  pendingCallCount
} from "./BroadcastSend.ts"
import { hasNoSideEffects } from "./claimNext.ts"
import * as limits from "./limits.ts"
import { dailyLimitRetryInterval } from "./limits.ts"
import { reconcile } from "./reconcile.ts"
import { nextAutomaticStep } from "./nextAutomaticStep.ts"
import { sendNextBatch } from "./sendNextBatch.ts"
import { isProgressDue, flushResultsWhere, flushAll, recoverFromPreviousOwner, nextProgressAt } from "./flushResults.ts"

const sendsOf = ({ hands }: SenderState) => Array.from(hands.values())

/** Returns how many recipients of a broadcast can be claimed now. It is 0 until several fit at once. */
const accountLimit = Effect.fnUntraced(function* (account: SenderState, hand: BroadcastSend, now: number) {
  const rate = yield* account.pace.rate
  const most = account.standing.failures >= limits.probeAfterFailures ? 1 : limits.maxInFlight(rate)
  const size = limits.windowSize(rate)
  // The claim also stores the results of earlier recipients.
  const inHand = inFlightCount(account) - hand.results.length
  const uncalled = pendingCallCount(account)
  // On a slow account, a recipient is claimed shortly before its call to respect the maximum age.
  const early = uncalled > 0 ? 0 : Math.max(0, (yield* account.pace.readyIn) - limits.claimLeadTime)
  account.claimAt = early > 0 ? now + early : null
  const isInTime = uncalled === 0 ? early === 0 : uncalled + size <= limits.maxPendingCalls(rate)
  const room = Math.min(size, most - inHand)
  const isRoomy = room >= size / 2 || inHand === 0
  return isInTime && isRoomy && uncalled <= size ? Math.max(0, room) : 0
})

/** Sends the next recipients of the broadcast whose turn it is. Returns `false` without recipients or capacity. */
const sendNext = Effect.fnUntraced(function* (account: SenderState, now: number) {
  const sendable = account.ready.filter((id) => {
    const hand = account.hands.get(id)
    return hand !== undefined && !hand.isStopping && hand.restsUntil <= now
  })
  account.claimAt = null
  const id = account.turns.next(sendable)
  const hand = id === undefined ? undefined : account.hands.get(id)
  const room = hand === undefined ? 0 : yield* accountLimit(account, hand, now)
  if (hand === undefined || room === 0) return false
  const hasMore = yield* sendNextBatch(account, hand, room, DateTime.makeUnsafe(now))
  if (!hasMore) {
    // The next reconcile shows whether recipients are left.
    if (hand.restsUntil <= now) account.ready = account.ready.filter((each) => each !== id)
    account.lookAt = 0
  }
  return true
})

/** Returns the time of the next action without notifications. */
const nextWakeAt = (account: SenderState) => {
  const hands = sendsOf(account)
  const told = hands.map(nextProgressAt).filter((at) => at !== null)
  const rests = account.ready.map((id) => account.hands.get(id)?.restsUntil ?? 0)
  const { claimAt, dueAt } = account
  return Math.min(dueAt ?? Number.POSITIVE_INFINITY, claimAt ?? Number.POSITIVE_INFINITY, ...rests, ...told)
}

/** Waits for work; returns `false` if none is due soon. */
const awaitWork = Effect.fnUntraced(function* (account: SenderState, notification: SendingTurn["notification"]) {
  const hands = sendsOf(account)
  const isBusy = inFlightCount(account) > 0 || hands.some(({ results }) => results.length > 0)
  const wait = Math.max(nextWakeAt(account) - DateTime.toEpochMillis(yield* DateTime.now), 0)
  if (!isBusy && wait > Duration.toMillis(limits.idleGrace)) return false
  const longest = isBusy ? Duration.toMillis(limits.resultFlushDelay) : Math.max(wait, 20)
  const isTold = yield* Effect.raceFirst(
    Effect.as(notification, true),
    Effect.timeoutOrElse(Effect.as(account.changed.await, false), {
      duration: longest,
      orElse: () => Effect.succeed(false)
    })
  )
  // The provider can have raised its limit.
  if (isTold) retryDailyLimit(account)
  const isStopping = sendsOf(account).some((hand) => hand.isStopping && hand.uncalled === 0)
  if (isTold || !isBusy || isStopping) account.lookAt = 0
  return true
})

/**
 * Sends the broadcasts of an account in turn, as the lane owner: claims recipients, calls the provider at the account's pace and stores the results.
 * Returns when nothing is in flight and nothing is due soon.
 */
const sendBroadcasts = Effect.fnUntraced(function* (lane: LaneLease, { notification, pace }: SendingTurn) {
  if ((yield* (yield* RecipientLedger).active(sendLaneAccountId(lane))).length === 0) return
  yield* recoverFromPreviousOwner(lane, pace)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const hands: SenderState["hands"] = new Map()
      // Runs after all calls have ended, even after a loss of the lane, because only this process has their results.
      yield* Effect.addFinalizer(() => flushAll(hands))
      const account = newSenderState(lane, pace, hands, yield* FiberSet.make<void>())
      while (true) {
        yield* account.changed.close
        const now = yield* DateTime.now
        yield* flushResultsWhere(account, (hand) => isProgressDue(hand, now) || !hand.results.every(hasNoSideEffects))
        if (DateTime.toEpochMillis(now) >= account.lookAt) {
          yield* reconcile(account, now)
          account.lookAt = DateTime.toEpochMillis(now) + limits.reconcileInterval
        }
        if (yield* sendNext(account, DateTime.toEpochMillis(now))) continue
        yield* flushResultsWhere(account, () => true)
        // The broadcast can be over or wait for another reason now.
        if (account.lookAt === 0) continue
        if (!(yield* awaitWork(account, notification))) return
      }
    })
  )
})

/** End of the known wait of a broadcast, apart from the due times of recipients. The daily limit is checked again before that. */
const waitEndsAt = ({ waiting }: Broadcast, now: DateTime.Utc) => {
  const until = waiting?.reason === "local_time" ? null : (waiting?.until ?? null)
  if (until === null || waiting?.reason !== "daily_limit") return until
  return DateTime.min(until, DateTime.addDuration(now, dailyLimitRetryInterval))
}

const latest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times
    .filter((time) => time !== null)
    .toSorted(DateTime.Order)
    .at(-1) ?? null

/** Returns when the broadcasts of an account have work; `null` without any. */
const nextDue = Effect.fnUntraced(function* (account: ChatAccountId) {
  const active = yield* (yield* RecipientLedger).active(account)
  if (active.length === 0) return null
  const now = yield* DateTime.now
  const broadcasts = yield* Broadcasts
  const organization = yield* (yield* Organizations).current()
  const { restsUntil } = yield* (yield* SendQueue).standing(account)
  const times = yield* Effect.forEach(active, (each) =>
    Effect.match(broadcasts.get(each.broadcastId), {
      onFailure: () => [],
      onSuccess: (broadcast) => {
        // Recipients in flight belong to an owner that has died.
        if (each.stats.inFlight > 0 || (each.isRecalled && each.status === "sending")) return [now]
        const { at, by } = nextAutomaticStep(each, broadcast, organization, now)
        const waits = [at, each.status === "sending" ? waitEndsAt(broadcast, now) : null, restsUntil]
        return [by, at === null ? null : latest(waits)]
      }
    })
  )
  const [next] = times
    .flat()
    .filter((time) => time !== null)
    .toSorted(DateTime.Order)
  return next ?? null
})

/** Broadcasts, sent by the lane owner of their account. */
export const layerBulkSender = layerPort(BulkSender, {
  name: "broadcasts",
  run: sendBroadcasts,
  nextDue
})
