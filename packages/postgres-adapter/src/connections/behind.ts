import type { SqlError } from "effect/sql"
import { Effect, Exit, Fiber } from "effect"
import type { Run } from "./Asking.ts"

/** Maps a failure when another statement was sent after it. */
export type Told = (error: SqlError.SqlError) => SqlError.SqlError

/**
 * Sends one statement right after another, without waiting for the answer in between. They are answered in this order, and the failure of the first
 * one is returned. If the first could not be sent, the second is not sent.
 */
export const behind = Effect.fnUntraced(function* <A>(first: Run<unknown>, second: Run<A>, told: Told) {
  const begun = yield* Effect.forkChild(first, { startImmediately: true })
  const refused = begun.pollUnsafe()
  if (refused !== undefined && Exit.isFailure(refused)) return yield* Effect.failCause(refused.cause)
  const answer = yield* Effect.exit(second)
  yield* Effect.mapError(Fiber.join(begun), told)
  return yield* answer
})
