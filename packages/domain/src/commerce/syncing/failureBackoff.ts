import { DateTime, Duration, Effect, Random } from "effect"
import { transact } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StoreConnection, StoreError } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import type { StoreFailure } from "../StorePlatform.ts"

const maxWait = Duration.minutes(5)

/** Converts a failure to the error of a connection; `null` if it is not a failure of the store. */
export const toStoreError = (failure: StoreFailure, at: DateTime.Utc): StoreError | null => {
  const reason = failure.message
  if (failure._tag === "StoreUnreachable") return { code: "unreachable", reason, at }
  switch (failure.remedy) {
    case "slow_down":
      return { code: "throttled", reason, at }
    case "retry":
      return { code: "unreachable", reason, at }
    case "missing_scope":
      return { code: "scopes_missing", reason, at }
    case "give_up":
    case "reauthorize":
      return null
  }
}

/** Whether the same call may succeed later. */
export const isTransient = (failure: StoreFailure): boolean =>
  failure._tag === "StoreUnreachable" || failure.remedy === "retry" || failure.remedy === "slow_down"

/** Random share of a wait, which spreads the retries of several processes. */
const jitterShare = 0.25

/** Waits after consecutive failures: 1, 2, 4 ... s, at most five minutes, plus jitter. A longer wait from the shop takes precedence. */
export const retryAt = Effect.fnUntraced(function* (failure: StoreFailure, failures: number) {
  const backoff = Duration.min(Duration.seconds(2 ** Math.min(failures - 1, 10)), maxWait)
  const requested = failure._tag === "StoreRefused" ? (failure.retryAfterMillis ?? 0) : 0
  const jitter = Duration.times(backoff, jitterShare * (yield* Random.next))
  const wait = Duration.sum(Duration.max(backoff, Duration.millis(requested)), jitter)
  return DateTime.addDuration(yield* DateTime.now, wait)
})

/** Shows a failure of a store on its connection. */
export const saveStoreFailure = Effect.fnUntraced(function* (id: StoreConnectionId, failure: StoreFailure) {
  const lastError = toStoreError(failure, yield* DateTime.now)
  if (lastError !== null) yield* (yield* StoreConnections).keepProgress(id, { lastError })
}, transact)

/** Shows a failure of a store on its connection, and stores the time of the next attempt. */
export const backOff = Effect.fnUntraced(function* (id: StoreConnectionId, failure: StoreFailure) {
  const connections = yield* StoreConnections
  const connection = yield* connections.lock(id)
  if (connection === null) return
  const failures = (connection.retry?.failures ?? 0) + 1
  const lastError = toStoreError(failure, yield* DateTime.now)
  yield* connections.keepProgress(id, {
    retry: { failures, at: yield* retryAt(failure, failures) },
    ...(lastError !== null && { lastError })
  })
}, transact)

/** Error of a connection after an answer of its store, without failed calls. */
export const clearTransientError = (lastError: StoreError | null): StoreError | null =>
  lastError?.code === "throttled" || lastError?.code === "unreachable" ? null : lastError

/** Clears earlier failures of a connection after an answer of its store. */
export const clearFailures = Effect.fnUntraced(function* (id: StoreConnectionId) {
  const connections = yield* StoreConnections
  const connection = yield* connections.lock(id)
  if (connection === null) return
  yield* connections.keepProgress(id, { retry: null, lastError: clearTransientError(connection.lastError) })
}, transact)

/** Whether `clearFailures` would change anything. */
export const hasFailed = ({ lastError, retry }: Pick<StoreConnection, "lastError" | "retry">): boolean =>
  retry !== null || clearTransientError(lastError) !== lastError
