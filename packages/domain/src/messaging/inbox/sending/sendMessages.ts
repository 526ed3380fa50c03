import { DateTime, Effect, Exit, FiberSet, Latch } from "effect"
import { Ids } from "../../../kernel/index.ts"
import type { LaneLease } from "../../../platform/background/index.ts"
import type { MessageId } from "../Ids.ts"
import { accountOfLane, type SendLease, SendQueue } from "../SendQueue.ts"
import type { SendingTurn } from "./AccountSenders.ts"
import { aheadFor, firstAtOnce, gatheringFor, lookAgainEvery, mostAtOnce } from "./limits.ts"
import { isAiling, rest, type Silence } from "./pace.ts"
import { send } from "./send.ts"
import { makeSendSets } from "./SendSets.ts"

/** Of an account that ails, one message goes ahead, and the others wait for what comes of it. */
const inTurn = Effect.fnUntraced(function* (leases: ReadonlyArray<SendLease>) {
  const ahead = leases.find((lease) => isAiling(lease) && !lease.interrupted)
  if (ahead === undefined) return leases
  yield* rest(ahead, aheadFor)
  return leases.filter((lease) => lease === ahead || lease.interrupted)
})

/**
 * Sends the messages of an account until there is none that can be sent now, many side by side. One whose call takes long
 * keeps its own place only.
 */
export const sendMessages = (lane: LaneLease, { notification, pace }: SendingTurn) =>
  Effect.scoped(
    Effect.gen(function* () {
      const queue = yield* SendQueue
      const ids = yield* Ids
      const sending = yield* FiberSet.make<"answered" | void>()
      const inHand = new Set<MessageId>()
      const silence: Silence = { isNoted: false }
      const sets = yield* makeSendSets(accountOfLane(lane), () => inHand.size)
      const ended = Latch.makeUnsafe()
      let isAllRead = false
      // A provider that does not answer leaves few in doubt; one that does is not kept waiting.
      let most = firstAtOnce
      const begin = Effect.fnUntraced(function* (lease: SendLease) {
        inHand.add(lease.messageId)
        const fiber = yield* FiberSet.run(sending, send(lease, { pace, sets, silence }))
        fiber.addObserver((exit) => {
          inHand.delete(lease.messageId)
          sets.leave()
          if (inHand.size === 0) none.openUnsafe()
          most = Exit.isSuccess(exit) && exit.value === "answered" ? Math.min(most + 1, mostAtOnce) : most
          // As long as more wait, a look is worth its while when it can bring several.
          if (isAllRead || inHand.size <= most / 2) ended.openUnsafe()
        })
      })
      const beginSome = Effect.fnUntraced(function* (room: number) {
        const search = { reader: yield* ids.next, now: yield* DateTime.now, limit: room, except: Array.from(inHand) }
        const leases = yield* queue.next(lane, search)
        yield* Effect.forEach(yield* inTurn(leases), begin, { discard: true })
        return leases.length
      })
      const none = Latch.makeUnsafe()
      /** What comes while others are on their way is read together with what comes soon after it. */
      const untilGathered = Effect.suspend(() => {
        if (inHand.size === 0) return Effect.void
        none.closeUnsafe()
        return Effect.timeoutOrElse(none.await, { duration: gatheringFor, orElse: () => Effect.void })
      })
      const untilRoom = Effect.timeoutOrElse(ended.await, { duration: lookAgainEvery, orElse: () => Effect.void })
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
