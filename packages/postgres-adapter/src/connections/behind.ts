import type { SqlError } from "effect/sql"
import { Effect, Exit, Fiber } from "effect"
import type { Run } from "./Asking.ts"

/** What a failure comes to, where more was asked for behind it. */
export type Told = (error: SqlError.SqlError) => SqlError.SqlError

/**
 * Asks one thing right behind another, without waiting for the answer in between, so that both leave together. They are answered in
 * this order, and what is told is the failure of the first one. Where that could not even be asked for, the second one is not either.
 */
export const behind = Effect.fnUntraced(function* <A>(first: Run<unknown>, second: Run<A>, told: Told) {
  const begun = yield* Effect.forkChild(first, { startImmediately: true })
  const refused = begun.pollUnsafe()
  if (refused !== undefined && Exit.isFailure(refused)) return yield* Effect.failCause(refused.cause)
  const answer = yield* Effect.exit(second)
  yield* Effect.mapError(Fiber.join(begun), told)
  return yield* answer
})
