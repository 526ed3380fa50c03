import { DateTime, Effect, Random } from "effect"
import type { Wake } from "./Work.ts"

const soonest = 20

/** Jitter keeps processes from polling at the same moment. */
const nextPoll = (lookMillis: number) => Effect.map(Random.nextBetween(0.8, 1.2), (jitter) => lookMillis * jitter)

const untilDue = <R>(due: Wake<R>["due"]) =>
  due === undefined
    ? Effect.succeed(Infinity)
    : Effect.gen(function* () {
        const at = yield* Effect.catchCause(due, () => Effect.succeed(null))
        if (at === null) return Infinity
        const wait = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(yield* DateTime.now)
        return Math.max(wait, soonest)
      })

/** Waits until there may be more to do: a notification arrives, something is due, or it is time to poll. */
export const awaitWork = <R>({ due, notification = Effect.never }: Wake<R>, lookMillis: number) =>
  Effect.gen(function* () {
    const wait = Math.min(yield* nextPoll(lookMillis), yield* untilDue(due))
    yield* Effect.timeoutOrElse(
      Effect.catchCause(notification, () => Effect.never),
      { duration: wait, orElse: () => Effect.void }
    )
  })
