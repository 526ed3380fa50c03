import { DateTime, Duration, Effect, Random } from "effect"
import type { Remedy } from "../../chat/index.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"

/** How many accounts a process sends for at once. Most of the time each of them waits for its pace, or for an answer. */
export const maxConcurrentAccounts = 256

/** For how long an account is sent for when others wait for its place. */
export const maxSendTurn = Duration.seconds(10)
export const crowdCheckInterval = Duration.seconds(1)

/** How many messages a second an account may send of which the provider has said nothing. */
export const defaultThroughput = 80

/** How long another area's sender rests that has failed so many times in a row. */
export const bulkSenderBackoff = (failures: number) => Duration.seconds(Math.min(2 ** (failures - 1), 60))

/** How many messages of an account are in hand at once: at first, and, one more with each call that is answered, at most. */
export const initialSendsInFlight = 16
export const maxSendsInFlight = 64

/** How soon a sender whose calls take long looks for more. */
export const sendPollInterval = Duration.millis(250)

/** For how long messages of an account are gathered at most while others of it are on their way: to be read together, or settled. */
export const batchWindow = Duration.millis(20)

/** How long an account that ails waits for what comes of the one message that goes ahead. */
export const probeTimeout = Duration.seconds(8)

/** How often a message is tried that was certainly not sent. */
const maxAttempts = 5

/** What is worth another try, and how long to wait before the first one, in milliseconds. */
const retryDelays: Partial<Readonly<Record<Remedy, number>>> = {
  retry: 1_000,
  slow_down: 2_000,
  delay_recipient: 6_000
}

/** However long the provider asks for: a message that waits for longer is none of a conversation any more. */
const maxRetryDelay = Duration.toMillis("10 minutes")

const withJitter = (millis: number) =>
  // Those that failed together are not tried again together.
  Effect.map(Random.nextBetween(1, 1.5), (factor) => Duration.millis(millis * factor))

/** How long to wait before the message is tried again; `null` if that is of no use. */
export const sendRetryDelay = (remedy: Remedy, attempts: number, atLeastMillis: number | null) => {
  const first = retryDelays[remedy]
  if (first === undefined || attempts >= maxAttempts) return Effect.succeed(null)
  return withJitter(Math.min(Math.max(first * 2 ** (attempts - 1), atLeastMillis ?? 0), maxRetryDelay))
}

/** After so many calls in a row that came to nothing an account rests: more than one message can have by itself. */
const maxFailures = maxAttempts + 1

const maxBackoff = Duration.toMillis("40 seconds")

/** How long an account rests after so many calls in a row that came to nothing; `null` if it goes on. */
const backoffAfter = (failures: number) =>
  failures < maxFailures
    ? Effect.succeed(null)
    : withJitter(Math.min(5_000 * 2 ** (failures - maxFailures), maxBackoff))

type SendBackoff = Pick<SendLease, "chatAccountId" | "failures">

/** Whether so many calls of the account have come to nothing that one at a time is enough to learn whether that is over. */
export const isFailing = ({ failures }: SendBackoff): boolean => failures >= maxFailures

/** Whether a call of the account has come to nothing since one was answered, as those know who send over it at the same time. */
export interface UnansweredCalls {
  isNoted: boolean
}

/** Sends nothing of the account for a while, here or on any other node. */
export const backOffAccount = Effect.fnUntraced(function* (lease: SendBackoff, wait: Duration.Duration) {
  yield* (yield* SendQueue).rest(lease.chatAccountId, DateTime.addDuration(yield* DateTime.now, wait))
})

/**
 * The provider has not said what came of a call, or that it has failed by itself. Each such call may leave a message in doubt:
 * after some in a row the account rests, longer and longer, before the next one is tried.
 */
export const recordUnansweredCall = Effect.fnUntraced(function* (lease: SendBackoff, silence: UnansweredCalls) {
  // Of those that were under way when the account began to ail, none makes it worse: the one that went ahead does.
  const most = Math.max(maxFailures, lease.failures + 1)
  const failures = yield* (yield* SendQueue).callFailed(lease.chatAccountId, most)
  silence.isNoted = true
  const wait = yield* backoffAfter(failures)
  if (wait !== null) yield* backOffAccount(lease, wait)
})

/** The provider has answered, so it is there: a row of failures ends with that, those too that were noted after the lease was read. */
export const recordAnsweredCall = Effect.fnUntraced(function* (lease: SendBackoff, silence: UnansweredCalls) {
  if (lease.failures === 0 && !silence.isNoted) return
  silence.isNoted = false
  const { callAnswered } = yield* SendQueue
  yield* Effect.onError(callAnswered(lease.chatAccountId, maxFailures), () =>
    Effect.sync(() => {
      silence.isNoted = true
    })
  )
})
