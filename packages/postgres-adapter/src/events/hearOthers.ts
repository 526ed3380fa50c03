import type { PgClient } from "@effect/sql-pg"
import { Effect, Queue, Schedule } from "effect"
import { realTime } from "../kernel/realTime.ts"

/** Where processes on one database tell each other which organizations have new events, and which bells have rung. */
export const channel = "parley_events"

/** What to do with what is heard. */
export interface Hearing {
  readonly heard: (payload: string) => void
  /** From now on all is heard; what was told before may have been missed. */
  readonly restarted: () => void
}

/**
 * Listens to other processes, over a connection of its own that no request ever waits for, and connects again whenever
 * that is lost.
 */
export const hearOthers = (listen: PgClient.PgClient["listen"], { heard, restarted }: Hearing) =>
  Effect.suspend(() => {
    let isLost = false
    return Effect.gen(function* () {
      const news = yield* listen(channel)
      if (isLost) yield* Effect.logInfo("News of other processes are heard again")
      isLost = false
      restarted()
      return yield* Effect.forever(Effect.map(Queue.take(news), ({ payload }) => heard(payload)))
    }).pipe(
      Effect.scoped,
      Effect.catchCause((cause) => {
        if (isLost) return Effect.void
        isLost = true
        return Effect.logWarning("The connection that hears of news was lost; it is opened again", cause)
      }),
      Effect.repeat(Schedule.spaced("1 second").pipe(Schedule.jittered))
    )
  }).pipe(Effect.provide(realTime))
