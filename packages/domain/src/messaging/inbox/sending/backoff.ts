import { DateTime, Duration, Effect, Random } from "effect"
import type { Remedy } from "../../chat/index.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"

/** Maximum number of accounts that a process sends for concurrently. Mostly an account waits for its pace or for an answer. */
export const maxConcurrentAccounts = 256

/** Maximum turn of an account while other accounts wait for its place. */
export const maxSendTurn = Duration.seconds(10)
export const crowdCheckInterval = Duration.seconds(1)

/** Messages per second of an account without a limit reported by the provider. */
export const defaultThroughput = 80

/** Backoff of another area's sender after this many failures in a row. */
export const bulkSenderBackoff = (failures: number) => Duration.seconds(Math.min(2 ** (failures - 1), 60))

/** Initial number of messages of an account in flight. Each answered call raises it by one, up to the maximum. */
export const initialSendsInFlight = 16
export const maxSendsInFlight = 64

/** Poll interval of a sender with slow calls. */
export const sendPollInterval = Duration.millis(250)

/** Maximum time to collect messages of an account into one read or one settlement while others are in flight. */
export const batchWindow = Duration.millis(20)

/** Time that a failing account waits for the result of its probe message. */
export const probeTimeout = Duration.seconds(8)

/** Maximum number of attempts for a message that was certainly not sent. */
const maxAttempts = 5

interface RetryRule {
  /** First delay in milliseconds. */
  readonly first: number
  readonly factor: number
  readonly maxAttempts: number
}

/**
 * Remedies that allow a retry. WhatsApp allows a burst of 45 messages to one recipient and 6 seconds of silence for each of them, so a
 * recipient needs more attempts: 4^x seconds, up to ten minutes.
 */
const retryRules: Partial<Readonly<Record<Remedy, RetryRule>>> = {
  retry: { first: 1_000, factor: 2, maxAttempts },
  slow_down: { first: 2_000, factor: 2, maxAttempts },
  delay_recipient: { first: 1_000, factor: 4, maxAttempts: 7 }
}

/** Maximum delay, for any delay that the provider requests. A message that waits longer no longer belongs to a conversation. */
const maxRetryDelay = Duration.toMillis("10 minutes")

const withJitter = (millis: number) =>
  // Jitter spreads the retries of messages that failed together.
  Effect.map(Random.nextBetween(1, 1.5), (factor) => Duration.millis(millis * factor))

/** Returns the delay before the next attempt; `null` if a retry is useless. */
export const sendRetryDelay = (remedy: Remedy, attempts: number, atLeastMillis: number | null) => {
  const rule = retryRules[remedy]
  if (rule === undefined || attempts >= rule.maxAttempts) return Effect.succeed(null)
  const { factor, first } = rule
  return withJitter(Math.min(Math.max(first * factor ** (attempts - 1), atLeastMillis ?? 0), maxRetryDelay))
}

/** Number of failed calls in a row after which an account backs off. It exceeds the attempts of a single message. */
const maxFailures = maxAttempts + 1

const maxBackoff = Duration.toMillis("40 seconds")

/** Returns the backoff of an account after this many failed calls in a row; `null` for none. */
const backoffAfter = (failures: number) =>
  failures < maxFailures
    ? Effect.succeed(null)
    : withJitter(Math.min(5_000 * 2 ** (failures - maxFailures), maxBackoff))

type SendBackoff = Pick<SendLease, "chatAccountId" | "failures">

/** Whether enough calls of the account failed to allow only single probe calls. */
export const isFailing = ({ failures }: SendBackoff): boolean => failures >= maxFailures

/** Whether a call of the account has failed since the last answered call. Concurrent senders share it. */
export interface UnansweredCalls {
  isNoted: boolean
}

/** Stops sending for the account for a while, on all nodes. */
export const backOffAccount = Effect.fnUntraced(function* (lease: SendBackoff, wait: Duration.Duration) {
  yield* (yield* SendQueue).rest(lease.chatAccountId, DateTime.addDuration(yield* DateTime.now, wait))
})

/**
 * Counts a call without an answer, or with a provider error. Each such call can leave a message in doubt. After some in a row the account backs
 * off, longer each time, before the next attempt.
 */
export const recordUnansweredCall = Effect.fnUntraced(function* (lease: SendBackoff, silence: UnansweredCalls) {
  // Only the probe raises the count further. Calls that were in flight when the account started to fail do not.
  const most = Math.max(maxFailures, lease.failures + 1)
  const failures = yield* (yield* SendQueue).callFailed(lease.chatAccountId, most)
  silence.isNoted = true
  const wait = yield* backoffAfter(failures)
  if (wait !== null) yield* backOffAccount(lease, wait)
})

/** Resets the failures in a row after an answer of the provider. This includes failures that were counted after the lease was read. */
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
