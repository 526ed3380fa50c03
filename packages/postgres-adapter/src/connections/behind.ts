import { Effect, Fiber } from "effect"
import type { Run } from "./Asking.ts"

/**
 * Asks one thing right behind another, without waiting for the answer in between, so that both leave together. They are answered in
 * this order, and what is told is the failure of the first one: after it the second one was not asked for any more.
 */
export const behind = Effect.fnUntraced(function* <A>(first: Run<unknown>, second: Run<A>) {
  const begun = yield* Effect.forkChild(first, { startImmediately: true })
  const answer = yield* Effect.exit(second)
  yield* Fiber.join(begun)
  return yield* answer
})
