import { DateTime, type Duration, Effect } from "effect"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import { mostFailures, restAfter } from "./limits.ts"

type Standing = Pick<SendLease, "chatAccountId" | "failures">

/** Whether so many calls of the account have come to nothing that one at a time is enough to learn whether that is over. */
export const isAiling = ({ failures }: Standing): boolean => failures >= mostFailures

/** Whether a call of the account has come to nothing since one was answered, as those know who send over it at the same time. */
export interface Silence {
  isNoted: boolean
}

/** Sends nothing of the account for a while, here or on any other node. */
export const rest = Effect.fnUntraced(function* (lease: Standing, wait: Duration.Duration) {
  yield* (yield* SendQueue).rest(lease.chatAccountId, DateTime.addDuration(yield* DateTime.now, wait))
})

/**
 * The provider has not said what came of a call, or that it has failed by itself. Each such call may leave a message in doubt:
 * after some in a row the account rests, longer and longer, before the next one is tried.
 */
export const afterSilence = Effect.fnUntraced(function* (lease: Standing, silence: Silence) {
  // Of those that were under way when the account began to ail, none makes it worse: the one that went ahead does.
  const most = Math.max(mostFailures, lease.failures + 1)
  const failures = yield* (yield* SendQueue).callFailed(lease.chatAccountId, most)
  silence.isNoted = true
  const wait = yield* restAfter(failures)
  if (wait !== null) yield* rest(lease, wait)
})

/** The provider has answered, so it is there: a row of failures ends with that, those too that were noted after the lease was read. */
export const afterAnswer = Effect.fnUntraced(function* (lease: Standing, silence: Silence) {
  if (lease.failures === 0 && !silence.isNoted) return
  silence.isNoted = false
  const { callAnswered } = yield* SendQueue
  yield* Effect.onError(callAnswered(lease.chatAccountId, mostFailures), () =>
    Effect.sync(() => {
      silence.isNoted = true
    })
  )
})
