import { DateTime, Effect, Exit, FiberSet, Latch } from "effect"
import { asSystem, Ids } from "../../kernel/index.ts"
import { type LaneLease, laneWork, type Turn, workDue } from "../../work/index.ts"
import type { MessageId } from "../Ids.ts"
import { accountOfLane, type SendLease, SendQueue, sendsWork } from "../SendQueue.ts"
import { accountsAtOnce, aheadFor, firstAtOnce, lookAgainEvery, mostAtOnce } from "./limits.ts"
import { isAiling, rest } from "./pace.ts"
import { send } from "./send.ts"

const within = asSystem("chat")

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
const sendOfAccount = (lane: LaneLease, { notification }: Turn) =>
  Effect.scoped(
    Effect.gen(function* () {
      const queue = yield* SendQueue
      const ids = yield* Ids
      const sending = yield* FiberSet.make<"answered" | void>()
      const inHand = new Set<MessageId>()
      const ended = Latch.makeUnsafe()
      let isAllRead = false
      // A provider that does not answer leaves few in doubt; one that does is not kept waiting.
      let most = firstAtOnce
      const begin = Effect.fnUntraced(function* (lease: SendLease) {
        inHand.add(lease.messageId)
        const fiber = yield* FiberSet.run(sending, send(lease))
        fiber.addObserver((exit) => {
          inHand.delete(lease.messageId)
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
      const untilRoom = Effect.timeoutOrElse(ended.await, { duration: lookAgainEvery, orElse: () => Effect.void })
      const untilMore = Effect.raceFirst(untilRoom, notification)
      while (true) {
        ended.closeUnsafe()
        const room = Math.max(most - inHand.size, 0)
        const read = room === 0 ? 0 : yield* Effect.uninterruptible(beginSome(room))
        isAllRead = read < room
        if (inHand.size > 0) yield* isAllRead ? untilMore : untilRoom
        else if (read === 0) return
      }
    })
  )

/** Messages are sent account by account. */
export const sends = laneWork({
  name: sendsWork,
  concurrency: accountsAtOnce,
  run: (lane, turn) => within(lane.organizationId)(sendOfAccount(lane, turn)),
  nextDue: (lane) =>
    within(lane.organizationId)(Effect.flatMap(SendQueue, (queue) => queue.nextDue(accountOfLane(lane))))
})

/** Sends all messages that can be sent now, of accounts that nobody else sends for. */
export const sendDue = workDue(sends)
