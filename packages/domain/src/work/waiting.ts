import { DateTime, Effect, Random } from "effect"
import type { Wake } from "./Work.ts"

const soonest = 20

/** Every process looks at moments of its own. */
const nextLook = (lookMillis: number) => Effect.map(Random.nextBetween(0.8, 1.2), (jitter) => lookMillis * jitter)

const untilDue = <R>(due: Wake<R>["due"]) =>
  due === undefined
    ? Effect.succeed(Infinity)
    : Effect.gen(function* () {
        const at = yield* Effect.catchCause(due, () => Effect.succeed(null))
        if (at === null) return Infinity
        const wait = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(yield* DateTime.now)
        return Math.max(wait, soonest)
      })

/** Waits until there may be more to do: there is news, something is due, or it is time to look. */
export const waiting = <R>({ due, news = Effect.never }: Wake<R>, lookMillis: number) =>
  Effect.gen(function* () {
    const wait = Math.min(yield* nextLook(lookMillis), yield* untilDue(due))
    yield* Effect.timeoutOrElse(
      Effect.catchCause(news, () => Effect.never),
      { duration: wait, orElse: () => Effect.void }
    )
  })
