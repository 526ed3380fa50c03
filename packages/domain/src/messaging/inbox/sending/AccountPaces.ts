import { Clock, Context, type DateTime, Effect, Latch, Layer } from "effect"
import type { Tenancy } from "../../../kernel/index.ts"
import type { LaneLease, LaneTurn } from "../../../platform/background/index.ts"
import type { ChatAccountId, PairLimit } from "../../chat/index.ts"
import {
  type AccountPace,
  newPace,
  rateAt,
  readyAt,
  reserveFor,
  slowDownPace,
  takeCalls,
  type CallPriority,
  withRate
} from "./AccountPace.ts"
import { defaultThroughput } from "./backoff.ts"
import { isRepaid, type PairState, takePair } from "./pairLimit.ts"

/** Pace of an account, shared by all senders of the lane owner. */
export interface PaceControl {
  /** Completes when one call can start. Calls for persons precede bulk calls; each kind is served in order of arrival. */
  readonly take: (taker: CallPriority) => Effect.Effect<void>
  /** Halves the rate after the provider reported that it is too high. The rate then recovers. */
  readonly slowDown: Effect.Effect<void>
  /** Delays bulk calls for this many milliseconds, because a previous owner can still start calls. */
  readonly shareFor: (millis: number) => Effect.Effect<void>
  /** Takes one message to the recipient. Returns 0, or the milliseconds until the next possible one. */
  readonly takePair: (recipient: string, limit: PairLimit) => Effect.Effect<number>
  /** Sets the maximum rate in messages per second; `null` if the provider has not reported one. */
  readonly allow: (throughputPerSecond: number | null) => Effect.Effect<void>
  /** Current rate in messages per second. */
  readonly rate: Effect.Effect<number>
  /** Milliseconds until a bulk call can start, if no other call starts before. */
  readonly readyIn: Effect.Effect<number>
}

interface PaceWaiter {
  readonly latch: Latch.Latch
}

const nanosPerMilli = 1_000_000n

const nowMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / nanosPerMilli))

/** Maximum number of recipients with a known state. A forgotten one is limited by the provider. */
const maxPairs = 5_000

/** Messages of an account to each recipient. */
const makePairs = () => {
  const states = new Map<string, { readonly state: PairState; readonly limit: PairLimit }>()
  const forgetRepaid = (now: number) => {
    for (const [recipient, { limit, state }] of states) if (isRepaid(state, limit, now)) states.delete(recipient)
  }
  return {
    isEmpty: (now: number) => {
      forgetRepaid(now)
      return states.size === 0
    },
    take: (recipient: string, limit: PairLimit, now: number): number => {
      if (states.size >= maxPairs) forgetRepaid(now)
      const grant = takePair(states.get(recipient)?.state ?? null, limit, now)
      if (grant.kind === "wait") return grant.until - now
      if (states.size < maxPairs || states.has(recipient)) states.set(recipient, { state: grant.state, limit })
      return 0
    }
  }
}

const makePace = (started: number) => {
  const pairs = makePairs()
  let pace: AccountPace = newPace(defaultThroughput, started)
  let usedAt = started
  const waiting: Readonly<Record<CallPriority, Array<PaceWaiter>>> = { person: [], bulk: [] }
  const head = () => waiting.person[0] ?? waiting.bulk[0]
  const wakeHead = () => head()?.latch.openUnsafe()

  /** Returns the time of the next possible call; `null` if this call can start now. */
  const tryNow = (taker: CallPriority, now: number) => {
    const { granted, nextAt, pace: after } = takeCalls(pace, now, 1, taker)
    pace = after
    usedAt = now
    return granted > 0 ? null : nextAt
  }

  const inLine = Effect.fnUntraced(function* (taker: CallPriority, mine: PaceWaiter) {
    while (true) {
      mine.latch.closeUnsafe()
      if (head() !== mine) {
        yield* mine.latch.await
        continue
      }
      const now = yield* nowMillis
      const nextAt = tryNow(taker, now)
      if (nextAt === null) return
      // Only the head of the queue waits for the clock. A new head or another rate wakes it.
      const duration = Math.max(1, nextAt - now)
      yield* Effect.timeoutOrElse(mine.latch.await, { duration, orElse: () => Effect.void })
    }
  })

  const waitInLine = (taker: CallPriority) =>
    Effect.suspend(() => {
      const mine: PaceWaiter = { latch: Latch.makeUnsafe() }
      waiting[taker].push(mine)
      return Effect.ensuring(
        inLine(taker, mine),
        Effect.sync(() => {
          waiting[taker].splice(waiting[taker].indexOf(mine), 1)
          wakeHead()
        })
      )
    })

  const change = (change: (pace: AccountPace, now: number) => AccountPace) =>
    Effect.map(nowMillis, (now) => {
      pace = change(pace, now)
      wakeHead()
    })

  return {
    isForgotten: (now: number) => head() === undefined && now - usedAt > paceRetention && pairs.isEmpty(now),
    pace: {
      take: (taker) =>
        Effect.flatMap(nowMillis, (now) =>
          head() === undefined && tryNow(taker, now) === null ? Effect.void : waitInLine(taker)
        ),
      takePair: (recipient, limit) => Effect.map(nowMillis, (now) => pairs.take(recipient, limit, now)),
      slowDown: change(slowDownPace),
      shareFor: (millis) => change((before, now) => reserveFor(before, millis, now)),
      allow: (throughputPerSecond) =>
        change((before, now) => withRate(before, Math.max(1, throughputPerSecond ?? defaultThroughput), now)),
      rate: Effect.map(nowMillis, (now) => rateAt(pace, now)),
      readyIn: Effect.map(nowMillis, (now) => readyAt(pace, now) - now)
    } satisfies PaceControl
  }
}

/** After this time in milliseconds a rate has recovered, and no earlier call counts. */
const paceRetention = 60_000
const maxPaces = 1_000

/** Less than the fence of any owner. A new owner starts with a new pace. */
const noFence = 0

/**
 * Paces of the accounts that this process owns. A pace outlives a turn of its lane, but not the ownership. Under another fence, another process may
 * have sent over the account a moment ago.
 */
export class AccountPaces extends Context.Service<
  AccountPaces,
  {
    readonly of: (id: ChatAccountId, fence: number) => Effect.Effect<PaceControl>
    /** Pace for the few messages that this process sends outside the account's lane, independent of the lane owner. */
    readonly here: (id: ChatAccountId) => Effect.Effect<PaceControl>
  }
>()("@parley/domain/messaging/inbox/AccountPaces") {
  /** Provides the paces of this process. */
  static readonly layer = Layer.sync(AccountPaces, () => {
    const paces = new Map<ChatAccountId, ReturnType<typeof makePace> & { readonly fence: number }>()
    const make = (id: ChatAccountId, fence: number, now: number) => {
      if (paces.size >= maxPaces) {
        for (const [other, each] of paces) if (each.isForgotten(now)) paces.delete(other)
      }
      const made = { ...makePace(now), fence }
      paces.set(id, made)
      return made.pace
    }
    return AccountPaces.of({
      of: (id, fence) =>
        Effect.map(nowMillis, (now) => {
          const known = paces.get(id)
          return known?.fence === fence && !known.isForgotten(now) ? known.pace : make(id, fence, now)
        }),
      here: (id) =>
        Effect.map(nowMillis, (now) => {
          const known = paces.get(id)
          return known === undefined || known.isForgotten(now) ? make(id, noFence, now) : known.pace
        })
    })
  })
}

/** Input of the senders of an account while this process owns its lane. */
export interface SendingTurn {
  /** Completes when more messages may be available since the last completion; it can also complete without any. */
  readonly notification: LaneTurn["notification"]
  /** All senders of the account take from it before each call. */
  readonly pace: PaceControl
}

/**
 * Sender of an area above. The owner of the account's lane runs it concurrently with the messages of persons, which go first. The area opens the lane
 * (`sendTaskName`, the account's id) when there is something to send.
 */
export class BulkSender extends Context.Service<
  BulkSender,
  {
    readonly name: string
    /**
     * Sends until nothing can be sent now. It is interrupted when the lane moves to another process, or other accounts wait for a place. Work that
     * must not be interrupted is uninterruptible.
     */
    readonly run: (lane: LaneLease, turn: SendingTurn) => Effect.Effect<void, unknown, Tenancy>
    /** Time of the next possible send over the account; `null` if nothing waits. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null, never, Tenancy>
  }
>()("@parley/domain/messaging/inbox/BulkSender") {
  /** No area sends over accounts. */
  static readonly layerNone = Layer.succeed(BulkSender, {
    name: "none",
    run: () => Effect.void,
    nextDue: () => Effect.succeed(null)
  })
}
