import { DateTime, Duration, Effect, FiberSet, Latch } from "effect"
import { accountOfLane, SendQueue, type SendingTurn } from "../../inbox/index.ts"
import { Organizations } from "../../identity/index.ts"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../work/index.ts"
import type { BroadcastWaiting } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { emptyThrottle, fullThrottle, takeThrottled } from "../pace/index.ts"
import { type ActiveBroadcast, RecipientLedger } from "../RecipientLedger.ts"
import { windowOpensAt } from "../timing/index.ts"
import { type Calling, callRecipient } from "./callRecipient.ts"
import { claimWindow } from "./claimWindow.ts"
import { freezeAudience } from "./freezeAudience.ts"
import { type Hand, newHand } from "./Hand.ts"
import * as limits from "./limits.ts"
import { moveByItself } from "./moveByItself.ts"
import { nextStep } from "./nextStep.ts"
import { pauseAllOf, pauseByItself } from "./pauseByItself.ts"
import { leavesRoom, storeResults } from "./storeResults.ts"
import { type ProviderFile, readSurroundings, type Surroundings, type Unfit, zoneNamed } from "./Surroundings.ts"
import { takeStep } from "./takeStep.ts"

/** After so many calls in a row that came to nothing, one recipient at a time goes ahead. */
const ailing = 6

const millis = DateTime.toEpochMillis

const takeOver = Effect.fnUntraced(function* (lane: LaneLease) {
  // Nothing is in hand before a turn begins: what an earlier turn here has left is in doubt as well.
  const lost = yield* (yield* RecipientLedger).takeOver(accountOfLane(lane), lane.fence + 1, yield* DateTime.now)
  if (lost > 0) yield* (yield* LaneQueue).hold(lane)
  return lost
}, transact)

/** What is to be done of a broadcast that cannot be sent as it is. */
const standDown = Effect.fnUntraced(function* (id: BroadcastId, { unfit }: Unfit, lane: LaneLease) {
  switch (unfit) {
    case "suspended":
      return yield* pauseAllOf(accountOfLane(lane), "suspended")
    case "chat_account_disconnected":
      return yield* pauseAllOf(accountOfLane(lane), "account")
    case "template":
      return yield* pauseByItself(id, "template")
    case "chat_account_removed": {
      const detail = "The chat account was removed."
      return yield* moveByItself(id, "fail", { change: { failure: { code: unfit, detail } }, reason: unfit })
    }
  }
})

/**
 * Sends the broadcasts of an account, in turn, as its owner: takes recipients of them in hand, calls the provider at the account's pace,
 * and stores what came of it. It returns when nothing is in hand and nothing is due soon.
 */
export const sendBroadcasts = Effect.fnUntraced(function* (lane: LaneLease, { notification, pace }: SendingTurn) {
  const ledger = yield* RecipientLedger
  const broadcasts = yield* Broadcasts
  const queue = yield* SendQueue
  const account = accountOfLane(lane)
  if ((yield* ledger.active(account)).length === 0) return
  yield* takeOver(lane)

  const hands = new Map<BroadcastId, Hand>()
  const files = new Map<string, ProviderFile>()
  const changed = Latch.makeUnsafe()
  let standing = { failures: 0, restsUntil: null as DateTime.Utc | null }
  let served: BroadcastId | null = null
  let toldAt = new Map<BroadcastId, DateTime.Utc | null>()
  const calling: Calling = { chatAccountId: account, pace, failures: () => standing.failures }

  const store = Effect.fnUntraced(function* (hand: Hand, isLast: boolean) {
    const results = hand.results
    if (results.length === 0) return
    hand.results = []
    const now = yield* DateTime.now
    const told = toldAt.get(hand.id) ?? null
    const isTold =
      !isLast && (told === null || DateTime.isLessThanOrEqualTo(DateTime.addDuration(told, limits.tellEvery), now))
    if (isTold) toldAt.set(hand.id, now)
    yield* storeResults(hand.id, results, isTold)
    if (results.some(leavesRoom)) tryLimit()
    hand.inHand -= results.length
  })
  /** Those that wait for the daily limit look whether it has room for them. */
  const tryLimit = () => {
    for (const hand of hands.values()) if (hand.waiting?.reason === "daily_limit") hand.restsUntil = 0
  }
  const storeAll = (isLast: boolean) => Effect.forEach(hands.values(), (hand) => store(hand, isLast), { discard: true })

  const broadcastOf = Effect.fnUntraced(function* ({ broadcastId, version }: ActiveBroadcast) {
    const known = hands.get(broadcastId)
    if (known !== undefined && known.broadcast.version === version) return known.broadcast
    return yield* Effect.catchTag(broadcasts.get(broadcastId), "NotFound", () => Effect.succeed(null))
  })

  const showWaiting = Effect.fnUntraced(function* (hand: Hand, waiting: BroadcastWaiting | null) {
    const before = hand.waiting
    if (before === waiting || (before?.reason === waiting?.reason && before?.until === waiting?.until)) return
    hand.waiting = waiting
    yield* ledger.wait(hand.id, waiting)
  })

  /** Lets no call of it start any more, and says so once none is left that could. */
  const stop = Effect.fnUntraced(function* (hand: Hand) {
    hand.isStopping = true
    yield* hand.stopped.open
    if (hand.uncalled > 0) return
    yield* store(hand, false)
    if (!hand.isStopSaid) {
      hand.isStopSaid = true
      yield* ledger.stop(hand.id, yield* DateTime.now)
    }
    if (hand.inHand === 0) hands.delete(hand.id)
  })

  const inHand = () => Array.from(hands.values()).reduce((sum, hand) => sum + hand.inHand, 0)
  const uncalled = () => Array.from(hands.values()).reduce((sum, hand) => sum + hand.uncalled, 0)

  return yield* Effect.scoped(
    Effect.gen(function* () {
      // After all calls have ended, also where the lane goes to somebody else: what came of them is known here only.
      yield* Effect.addFinalizer(() => storeAll(true))
      const calls = yield* FiberSet.make<void>()
      let lookAt = 0

      const begin = Effect.fnUntraced(function* (hand: Hand, surroundings: Surroundings, limit: number) {
        const claimed = yield* claimWindow(lane, hand.broadcast, surroundings, limit)
        if (claimed === null) {
          yield* stop(hand)
          return false
        }
        const { freeAt } = claimed
        if (freeAt !== null)
          hand.restsUntil = Math.min(
            millis(freeAt),
            millis(yield* DateTime.now) + Duration.toMillis(limits.tryLimitEvery)
          )
        yield* showWaiting(hand, freeAt === null ? null : { reason: "daily_limit", until: freeAt })
        hand.inHand += claimed.calls.length
        hand.uncalled += claimed.calls.length
        if (claimed.wait !== null) hand.wait = claimed.wait
        if (hand.throttle !== null && claimed.calls.length < limit) {
          // What was asked of the throttle and not needed stays with it.
          const { fullAt, perMinute } = hand.throttle
          hand.throttle = { perMinute, fullAt: fullAt - (60_000 / perMinute) * (limit - claimed.calls.length) }
        }
        for (const call of claimed.calls) {
          const fiber = yield* FiberSet.run(calls, callRecipient(hand, call, surroundings, calling))
          fiber.addObserver(() => {
            if (hand.uncalled === 0 || hand.results.length === hand.inHand) changed.openUnsafe()
          })
        }
        return !claimed.isAll
      })

      const freeze = Effect.fnUntraced(function* (hand: Hand) {
        hand.isFreezing = true
        const onPart = Effect.sync(() => {
          lookAt = 0
          changed.openUnsafe()
        })
        const fiber = yield* FiberSet.run(calls, freezeAudience(hand.id, lane, onPart))
        fiber.addObserver(() => {
          hand.isFreezing = false
        })
      })

      /** How many of it may be taken in hand now; 0 when it has to wait, with what is shown of that. */
      const roomOf = Effect.fnUntraced(function* (
        hand: Hand,
        room: number,
        surroundings: Surroundings,
        now: DateTime.Utc
      ) {
        const { schedule, throttle } = hand.broadcast
        const window = schedule?.zone === "contact" ? null : (schedule?.window ?? null)
        if (window !== null) {
          const opensAt = windowOpensAt(window, zoneNamed(surroundings.zone), now)
          if (DateTime.isGreaterThan(opensAt, now)) {
            hand.restsUntil = millis(opensAt)
            yield* showWaiting(hand, { reason: "window", until: opensAt })
            return 0
          }
        }
        if (throttle === null) return room
        const { startedAt } = hand.broadcast
        // Another owner may have sent of it a moment ago, if it did not start just now.
        const isNew = startedAt !== null && millis(now) - millis(startedAt) < limits.startsFor
        const fresh = isNew ? fullThrottle : emptyThrottle
        const before = hand.throttle ?? fresh(throttle.perMinute, millis(now))
        const { granted, nextAt, throttle: after } = takeThrottled(before, millis(now), room)
        hand.throttle = after
        if (granted > 0) return granted
        hand.restsUntil = nextAt
        if (nextAt - millis(now) >= 1_000) {
          yield* showWaiting(hand, { reason: "throttle", until: DateTime.makeUnsafe(nextAt) })
        }
        return 0
      })

      const serve = Effect.fnUntraced(function* (hand: Hand, room: number, now: DateTime.Utc) {
        const surroundings = yield* readSurroundings(hand.broadcast, files)
        if (surroundings.unfit !== undefined) {
          yield* standDown(hand.id, surroundings, lane)
          return false
        }
        yield* pace.allow(surroundings.account.throughputPerSecond)
        // What it may send was not known before its account was read.
        const size = limits.windowOf(yield* pace.rate)
        const limit = yield* roomOf(hand, Math.min(room, size), surroundings, now)
        if (limit === 0) return false
        return yield* Effect.uninterruptible(begin(hand, surroundings, limit))
      })

      let dueAt: number | null = null
      let ready: ReadonlyArray<BroadcastId> = []

      /** Looks what others have changed, does what is due beside sending, and says which broadcasts can be sent now. */
      const look = Effect.fnUntraced(function* (now: DateTime.Utc) {
        const organization = yield* (yield* Organizations).current()
        standing = yield* queue.standing(account)
        const active = yield* ledger.active(account)
        toldAt = new Map(active.map((each) => [each.broadcastId, toldAt.get(each.broadcastId) ?? each.toldAt]))
        const rests = standing.restsUntil !== null && DateTime.isGreaterThan(standing.restsUntil, now)
        const times: Array<number> = []
        const found: Array<BroadcastId> = []
        for (const each of active) {
          const broadcast = yield* broadcastOf(each)
          if (broadcast === null) continue
          const hand = hands.get(each.broadcastId)
          if (each.status !== "sending" && hand !== undefined) yield* stop(hand)
          // It goes on after a pause when all that it had in hand before is stored.
          if (each.status === "sending" && hand?.isStopping === true && hand.inHand === 0) hands.delete(hand.id)
          const { at, step } = nextStep(each, broadcast, organization, now)
          if (step !== null) yield* takeStep(broadcast, step)
          const isDue =
            each.status === "sending" &&
            (each.mark < each.listed || (each.nextDueAt !== null && DateTime.isLessThanOrEqualTo(each.nextDueAt, now)))
          if (step !== null) times.push(millis(now))
          else if (at !== null && (!isDue || rests)) times.push(millis(at))
          const mine = hands.get(each.broadcastId) ?? newHand(broadcast)
          if (each.status !== "sending" || step !== null || mine.isStopping) continue
          hands.set(each.broadcastId, mine)
          mine.broadcast = broadcast
          if (!each.isFrozen && !mine.isFreezing) yield* freeze(mine)
          if (rests) yield* showWaiting(mine, { reason: "account_resting", until: standing.restsUntil })
          else if (isDue) found.push(each.broadcastId)
          else if (mine.wait !== null && mine.inHand === 0 && each.nextDueAt !== null) {
            yield* showWaiting(mine, { reason: mine.wait, until: each.nextDueAt })
          }
        }
        for (const hand of hands.values()) {
          if (active.some(({ broadcastId }) => broadcastId === hand.id)) continue
          yield* stop(hand)
          hands.delete(hand.id)
        }
        ready = found
        const next = times.toSorted((one, other) => one - other)[0] ?? null
        dueAt = rests && next !== null ? Math.max(next, millis(standing.restsUntil ?? now)) : next
      })

      while (true) {
        yield* changed.close
        const now = yield* DateTime.now
        yield* storeAll(false)
        if (millis(now) >= lookAt) {
          yield* look(now)
          lookAt = millis(now) + limits.lookEvery
        }
        const rate = yield* pace.rate
        const most = standing.failures >= ailing ? 1 : limits.mostOf(rate)
        const size = limits.windowOf(rate)
        const sendable = ready.filter((id) => {
          const hand = hands.get(id)
          return hand !== undefined && !hand.isStopping && hand.restsUntil <= millis(now)
        })
        const room = Math.min(size, most - inHand())
        // Of a slow account, one is taken in hand shortly before its call, so that it is called in time.
        const early = uncalled() > 0 ? 0 : Math.max(0, (yield* pace.readyIn) - limits.claimAhead)
        const isInTime = uncalled() === 0 ? early === 0 : uncalled() + size <= limits.mostWaitingOf(rate)
        // Several are taken in hand together, where there is room for as many soon.
        const isRoomy = room > 0 && (room >= size / 2 || inHand() === 0) && uncalled() <= size
        if (sendable.length > 0 && isRoomy && isInTime) {
          const last = served
          const id = sendable.find((each) => last === null || each > last) ?? sendable[0]
          const hand = id === undefined ? undefined : hands.get(id)
          if (id !== undefined && hand !== undefined) {
            served = id
            const hasMore = yield* serve(hand, room, now)
            if (!hasMore) {
              // Whether anything is left is known after another look.
              if (hand.restsUntil <= millis(now)) ready = ready.filter((each) => each !== id)
              lookAt = 0
            }
            continue
          }
        }
        const isBusy = inHand() > 0 || Array.from(hands.values()).some(({ results }) => results.length > 0)
        const rests = ready.map((id) => hands.get(id)?.restsUntil ?? 0)
        const claimAt = sendable.length > 0 && early > 0 ? millis(now) + early : Number.POSITIVE_INFINITY
        const next = Math.min(dueAt ?? Number.POSITIVE_INFINITY, claimAt, ...rests)
        const wait = Math.max(next - millis(now), 0)
        if (!isBusy && wait > Duration.toMillis(limits.stayFor)) return
        const longest = isBusy ? Duration.toMillis(limits.storeAfter) : Math.max(wait, 20)
        const isTold = yield* Effect.raceFirst(
          Effect.as(notification, true),
          Effect.timeoutOrElse(Effect.as(changed.await, false), {
            duration: longest,
            orElse: () => Effect.succeed(false)
          })
        )
        // The provider may have raised it.
        if (isTold) tryLimit()
        const isStopping = Array.from(hands.values()).some((hand) => hand.isStopping && hand.uncalled === 0)
        if (isTold || !isBusy || isStopping) lookAt = 0
      }
    })
  )
})
