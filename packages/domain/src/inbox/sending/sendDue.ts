import { DateTime, Effect, FiberSet, Latch } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { Ids } from "../../kernel/index.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import { leaseDuration, leaseEnd, lookAgainEvery, mostAtOnce } from "./limits.ts"
import { isAiling, rest } from "./pace.ts"
import { send } from "./send.ts"

const claim = Effect.fnUntraced(function* (limit: number) {
  return yield* (yield* SendQueue).claim({
    sender: yield* (yield* Ids).next,
    now: yield* DateTime.now,
    until: yield* leaseEnd,
    limit
  })
})

const giveBack = Effect.fnUntraced(function* (lease: SendLease) {
  yield* (yield* SendQueue).giveBack(lease, yield* DateTime.now)
})

/** Of an account that ails, one message goes ahead, and the others wait for what comes of it. */
const inTurn = Effect.fnUntraced(function* (leases: ReadonlyArray<SendLease>) {
  const ahead = new Set<ChatAccountId>()
  const going: Array<SendLease> = []
  for (const lease of leases) {
    const { chatAccountId, interrupted } = lease
    if (isAiling(lease) && !interrupted) {
      if (ahead.has(chatAccountId)) {
        yield* giveBack(lease)
        continue
      }
      ahead.add(chatAccountId)
      yield* rest(lease, leaseDuration)
    }
    going.push(lease)
  }
  return going
})

/**
 * Sends messages until there is none that can be sent now, many side by side. One whose call takes long keeps its own place
 * only: for the others, more are claimed meanwhile.
 */
export const sendDue = Effect.scoped(
  Effect.gen(function* () {
    const queue = yield* SendQueue
    const inHand = yield* FiberSet.make<void>()
    const ended = Latch.makeUnsafe()
    let count = 0
    let isAllClaimed = false
    const begin = (lease: SendLease) => {
      count += 1
      const end = Effect.sync(() => {
        count -= 1
        // As long as more wait, a claim is worth its while when it can bring several.
        if (isAllClaimed || count <= mostAtOnce / 2) ended.openUnsafe()
      })
      return FiberSet.run(inHand, Effect.ensuring(Effect.asVoid(send(lease)), end))
    }
    const claimAndBegin = Effect.fnUntraced(function* (room: number) {
      const leases = yield* claim(room)
      yield* Effect.forEach(yield* inTurn(leases), begin, { discard: true })
      return leases.length
    })
    const untilRoom = Effect.timeoutOrElse(ended.await, { duration: lookAgainEvery, orElse: () => Effect.void })
    const untilMore = Effect.raceFirst(untilRoom, queue.awaitNews)
    while (true) {
      ended.closeUnsafe()
      const room = mostAtOnce - count
      const claimed = room === 0 ? 0 : yield* Effect.uninterruptible(claimAndBegin(room))
      isAllClaimed = claimed < room
      if (count > 0) yield* isAllClaimed ? untilMore : untilRoom
      else if (claimed === 0) return
    }
  })
)
