import { Clock, Context, type DateTime, Effect, Latch, Layer } from "effect"
import { type Tenancy, withContext } from "../../../kernel/index.ts"
import type { LaneLease, LaneTurn } from "../../../platform/background/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
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

/** How fast an account sends, as all see it who send over it: whoever owns its lane. */
export interface PaceControl {
  /** Completes when one call may begin. Persons go before bulk, whoever came first. */
  readonly take: (taker: CallPriority) => Effect.Effect<void>
  /** The provider has said that this is too fast: the rate halves, and climbs back. */
  readonly slowDown: Effect.Effect<void>
  /** A former owner may still begin calls for so many milliseconds: what is much waits for that. */
  readonly shareFor: (millis: number) => Effect.Effect<void>
  /** How many messages a second the account may send; `null` where the provider has not said. */
  readonly allow: (throughputPerSecond: number | null) => Effect.Effect<void>
  /** How many messages a second it may send now. */
  readonly rate: Effect.Effect<number>
  /** In how many milliseconds a call of what is much may begin, if nobody else makes one before. */
  readonly readyIn: Effect.Effect<number>
}

interface PaceWaiter {
  readonly latch: Latch.Latch
}

const nanosPerMilli = 1_000_000n

const nowMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / nanosPerMilli))

const makePace = (started: number) => {
  let pace: AccountPace = newPace(defaultThroughput, started)
  let usedAt = started
  const waiting: Readonly<Record<CallPriority, Array<PaceWaiter>>> = { person: [], bulk: [] }
  const head = () => waiting.person[0] ?? waiting.bulk[0]
  const wakeHead = () => head()?.latch.openUnsafe()

  /** When the next one may begin; `null` if this one may. */
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
      // The head alone looks at the clock; whoever comes before it, or another rate, wakes it.
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
    isForgotten: (now: number) => head() === undefined && now - usedAt > paceRetention,
    pace: {
      take: (taker) =>
        Effect.flatMap(nowMillis, (now) =>
          head() === undefined && tryNow(taker, now) === null ? Effect.void : waitInLine(taker)
        ),
      slowDown: change(slowDownPace),
      shareFor: (millis) => change((before, now) => reserveFor(before, millis, now)),
      allow: (throughputPerSecond) =>
        change((before, now) => withRate(before, Math.max(1, throughputPerSecond ?? defaultThroughput), now)),
      rate: Effect.map(nowMillis, (now) => rateAt(pace, now)),
      readyIn: Effect.map(nowMillis, (now) => readyAt(pace, now) - now)
    } satisfies PaceControl
  }
}

/** By then a rate has climbed back, and nothing of the last second counts. */
const paceRetention = 60_000
const maxPaces = 1_000

/** Less than the fence of any owner: who owns the account begins anew. */
const noFence = 0

/**
 * How fast the accounts send that this process owns. It outlasts a turn of their lanes, but not the ownership: under another fence,
 * somebody else may have sent over the account a moment ago.
 */
export class AccountPaces extends Context.Service<
  AccountPaces,
  {
    readonly of: (id: ChatAccountId, fence: number) => Effect.Effect<PaceControl>
    /** As this process sends over the account, for the few messages that go out beside its lane, whoever owns that. */
    readonly here: (id: ChatAccountId) => Effect.Effect<PaceControl>
  }
>()("@parley/domain/messaging/inbox/AccountPaces") {
  /** Those of this process. */
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

/** What whoever sends over an account is given while this process owns it. */
export interface SendingTurn {
  /** Completes when there may be more to send since it last completed; it may complete for nothing. */
  readonly notification: LaneTurn["notification"]
  /** All who send over the account ask it before each call. */
  readonly pace: PaceControl
}

/**
 * What another area sends over accounts. It is run by the owner of the account's lane, beside the messages of persons, which go first.
 * It opens the lane (`sendsWork`, the account's id) when there is something to send.
 */
export interface BulkSender<R> {
  readonly name: string
  /**
   * Sends until nothing can be sent now. It is interrupted when the lane goes to another process, or when other accounts wait for a place;
   * what must not be cut off is uninterruptible.
   */
  readonly run: (lane: LaneLease, turn: SendingTurn) => Effect.Effect<void, unknown, R | Tenancy>
  /** When there is something to send over the account again; `null` when there is nothing. */
  readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null, never, R | Tenancy>
}

/** Where there is no sender, nothing is needed. */
type BulkSenderServices<Sender> =
  Sender extends BulkSender<infer R> ? (unknown extends R ? never : Exclude<R, Tenancy>) : never

/** What other areas send over accounts. */
export class BulkSenders extends Context.Service<BulkSenders, ReadonlyArray<BulkSender<never>>>()(
  "@parley/domain/messaging/inbox/BulkSenders"
) {}

/** Registers these senders. */
export const layerBulkSendersOf = <Sender extends BulkSender<unknown>>(
  senders: ReadonlyArray<Sender>
): Layer.Layer<BulkSenders, never, BulkSenderServices<Sender>> =>
  Layer.effect(
    BulkSenders,
    Effect.contextWith((outside: Context.Context<BulkSenderServices<Sender>>) => {
      const within = withContext<Tenancy>(outside)
      return Effect.succeed(
        senders.map(({ name, nextDue, run }): BulkSender<never> => ({
          name,
          run: (lane, turn) => within(run(lane, turn)),
          nextDue: (id) => within(nextDue(id))
        }))
      )
    })
  )
