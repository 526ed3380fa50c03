import { DateTime, Duration, Effect } from "effect"
import type { StoreConnectionId } from "../Ids.ts"
import type { StoreError } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import type { StoreFailure } from "../StoreFailures.ts"
import { transact } from "../../kernel/index.ts"

const longestWait = Duration.minutes(5)

/** What a failure of a store is told as; `null` if it says nothing about the store. */
export const errorOf = (failure: StoreFailure, at: DateTime.Utc): StoreError | null => {
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
export const isPassing = (failure: StoreFailure): boolean =>
  failure._tag === "StoreUnreachable" || failure.remedy === "retry" || failure.remedy === "slow_down"

/** When to call again after so many failures one after the other. */
export const againAt = (failure: StoreFailure, failures: number, now: DateTime.Utc): DateTime.Utc => {
  const said = failure._tag === "StoreRefused" ? (failure.retryAfterMillis ?? 0) : 0
  const wait = Duration.min(Duration.seconds(2 ** Math.min(failures, 10)), longestWait)
  return DateTime.addDuration(now, Duration.max(wait, Duration.millis(said)))
}

/** Keeps what is wrong with a store, for people to see. */
export const keepFailure = Effect.fnUntraced(function* (id: StoreConnectionId, failure: StoreFailure) {
  const lastError = errorOf(failure, yield* DateTime.now)
  if (lastError !== null) yield* (yield* StoreConnections).keepProgress(id, { lastError })
}, transact)

/** What is wrong once the store has answered: failures of calls are over. */
export const afterAnswer = (lastError: StoreError | null): StoreError | null =>
  lastError?.code === "throttled" || lastError?.code === "unreachable" ? null : lastError
