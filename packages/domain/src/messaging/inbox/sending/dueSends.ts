import { Cause, DateTime, Effect, Exit, FiberSet, Latch, Option } from "effect"
import { asSystem, Ids, isStorageUnavailable } from "../../../kernel/index.ts"
import { type LaneLease, defineLaneWorker, type LaneTurn } from "../../../platform/background/index.ts"
import type { MessageId } from "../Message.ts"
import { sendLaneAccountId, type SendLease, SendQueue, sendTaskName } from "../SendQueue.ts"
import { AccountPaces, BulkSender, type SendingTurn } from "./AccountPaces.ts"
import { makeSendBatches } from "./SendBatches.ts"
import {
  maxConcurrentAccounts,
  probeTimeout,
  initialSendsInFlight,
  batchWindow,
  isFailing,
  maxSendTurn,
  sendPollInterval,
  crowdCheckInterval,
  maxSendsInFlight,
  backOffAccount,
  bulkSenderBackoff,
  type UnansweredCalls
} from "./backoff.ts"
import { sendLeasedMessage } from "./sendAttempt.ts"

/** Lets one message of a failing account probe the provider; the others wait for its result. */
const probeFirst = Effect.fnUntraced(function* (leases: ReadonlyArray<SendLease>) {
  const ahead = leases.find((lease) => isFailing(lease) && !lease.interrupted)
  if (ahead === undefined) return leases
  yield* backOffAccount(ahead, probeTimeout)
  return leases.filter((lease) => lease === ahead || lease.interrupted)
})

/** Sends the messages of an account concurrently until none can be sent now. A slow call occupies only its own place. */
const sendMessages = (lane: LaneLease, { notification, pace }: SendingTurn) =>
  Effect.scoped(
    Effect.gen(function* () {
      const queue = yield* SendQueue
      const ids = yield* Ids
      const sending = yield* FiberSet.make<"answered" | void>()
      const inHand = new Set<MessageId>()
      const silence: UnansweredCalls = { isNoted: false }
      const sets = yield* makeSendBatches(sendLaneAccountId(lane), () => inHand.size)
      const ended = Latch.makeUnsafe()
      let isAllRead = false
      // A small start value leaves few messages in doubt if the provider does not answer. Answers raise the limit.
      let most = initialSendsInFlight
      const begin = Effect.fnUntraced(function* (lease: SendLease) {
        inHand.add(lease.messageId)
        const fiber = yield* FiberSet.run(sending, sendLeasedMessage(lease, { pace, sets, silence }))
        fiber.addObserver((exit) => {
          inHand.delete(lease.messageId)
          sets.leave()
          if (inHand.size === 0) none.openUnsafe()
          most = Exit.isSuccess(exit) && exit.value === "answered" ? Math.min(most + 1, maxSendsInFlight) : most
          // While more messages wait, another read is worthwhile only when it can return several.
          if (isAllRead || inHand.size <= most / 2) ended.openUnsafe()
        })
      })
      const beginSome = Effect.fnUntraced(function* (room: number) {
        const search = { reader: yield* ids.next, now: yield* DateTime.now, limit: room, except: Array.from(inHand) }
        const leases = yield* queue.next(lane, search)
        yield* Effect.forEach(yield* probeFirst(leases), begin, { discard: true })
        return leases.length
      })
      const none = Latch.makeUnsafe()
      /** While messages are in flight, new messages are read together with messages that follow soon after. */
      const untilGathered = Effect.suspend(() => {
        if (inHand.size === 0) return Effect.void
        none.closeUnsafe()
        return Effect.timeoutOrElse(none.await, { duration: batchWindow, orElse: () => Effect.void })
      })
      const untilRoom = Effect.timeoutOrElse(ended.await, { duration: sendPollInterval, orElse: () => Effect.void })
      const untilMore = Effect.raceFirst(untilRoom, notification)
      while (true) {
        ended.closeUnsafe()
        const room = Math.max(most - inHand.size, 0)
        const read = room === 0 ? 0 : yield* Effect.uninterruptible(beginSome(room))
        isAllRead = read < room
        if (inHand.size > 0) yield* Effect.andThen(isAllRead ? untilMore : untilRoom, untilGathered)
        else if (read === 0) return
      }
    })
  )

const asSendSystem = asSystem("chat")

const isLeaseLost = (cause: Cause.Cause<unknown>) =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => (error as { readonly _tag?: string } | null)?._tag === "LeaseLost"
  )

/** Retries a failing sender of another area with backoff. Its failure never delays the messages of others. */
const runSenderWithRetry = (sender: typeof BulkSender.Service, lane: LaneLease, turn: SendingTurn) => {
  const attempt = (failures: number): Effect.Effect<void, unknown, Effect.Services<ReturnType<typeof sender.run>>> =>
    Effect.catchCauseIf(
      sender.run(lane, turn),
      (cause) => !Cause.hasInterrupts(cause) && !isLeaseLost(cause) && !isStorageUnavailable(cause),
      (cause) =>
        Effect.logError(`Sending ${sender.name} over ${lane.key} failed; Parley retries it`, cause).pipe(
          Effect.andThen(Effect.sleep(bulkSenderBackoff(failures))),
          Effect.andThen(Effect.suspend(() => attempt(failures + 1)))
        )
    )
  return attempt(1)
}

/** Runs senders concurrently. A sender without work looks again at each notification, until no sender has work. */
const runConcurrently = Effect.fnUntraced(function* <E, R>(
  runs: ReadonlyArray<(notification: Effect.Effect<void>) => Effect.Effect<void, E, R>>,
  { notification }: LaneTurn
) {
  const latches = runs.map(() => Latch.makeUnsafe())
  const allIdle = Latch.makeUnsafe()
  let busy = runs.length
  const keep = runs.map((run, place) => {
    const latch = latches[place] ?? Latch.makeUnsafe()
    const notified = Effect.andThen(latch.await, latch.close)
    const round = Effect.gen(function* () {
      yield* run(notified)
      busy -= 1
      if (busy === 0) allIdle.openUnsafe()
      yield* notified
      busy += 1
    })
    return Effect.forever(round)
  })
  const pass = Effect.map(notification, () => {
    for (const latch of latches) latch.openUnsafe()
  })
  yield* Effect.raceFirst(allIdle.await, Effect.all([Effect.forever(pass), ...keep], { concurrency: "unbounded" }))
})

/** Completes when the account has sent for long and others wait for a place. */
const untilCrowded = ({ isCrowded }: LaneTurn) =>
  Effect.delay(
    Effect.repeat(Effect.delay(Effect.sync(isCrowded), crowdCheckInterval), { until: (crowded) => crowded }),
    maxSendTurn
  ).pipe(Effect.asVoid)

/** Sends the messages of the account and the messages of other areas at one shared pace. */
const runAccountLane = Effect.fnUntraced(function* (lane: LaneLease, turn: LaneTurn) {
  const sender = yield* BulkSender
  const pace = yield* (yield* AccountPaces).of(sendLaneAccountId(lane), lane.fence)
  const messages = (notification: Effect.Effect<void>) => sendMessages(lane, { notification, pace })
  const bulk = (notification: Effect.Effect<void>) => runSenderWithRetry(sender, lane, { notification, pace })
  return yield* Effect.raceFirst(runConcurrently([messages, bulk], turn), untilCrowded(turn))
})

const findNextDue = Effect.fnUntraced(function* (lane: LaneLease) {
  const id = sendLaneAccountId(lane)
  const queue = yield* SendQueue
  const all = [queue.nextDue(id), (yield* BulkSender).nextDue(id)]
  const [next] = (yield* Effect.all(all)).filter((due) => due !== null).toSorted(DateTime.Order)
  return next ?? null
})

/** Sends account by account. */
export const sendTask = defineLaneWorker({
  name: sendTaskName,
  concurrency: maxConcurrentAccounts,
  run: (lane, turn) => asSendSystem(lane.organizationId)(runAccountLane(lane, turn)),
  nextDue: (lane) => asSendSystem(lane.organizationId)(findNextDue(lane))
})
