import type { PgClient } from "@effect/sql-pg"
import { Effect, Queue, Schedule } from "effect"
import { realTime } from "../kernel/realTime.ts"

/** The channel by which processes on one database notify each other of new events, opened lanes and free shards. */
export const channel = "parley_events"

/** What to do with notifications. */
export interface Hearing {
  readonly heard: (payload: string) => void
  /** Listening has begun, or begun again: earlier notifications may have been missed. */
  readonly restarted: () => void
}

/**
 * Listens to other processes, over a connection of its own that no request ever waits for, and connects again whenever
 * that is lost.
 */
export const listenToOthers = (listen: PgClient.PgClient["listen"], { heard, restarted }: Hearing) =>
  Effect.suspend(() => {
    let isLost = false
    return Effect.gen(function* () {
      const notifications = yield* listen(channel)
      if (isLost) yield* Effect.logInfo("Notifications of other processes arrive again")
      isLost = false
      restarted()
      return yield* Effect.forever(Effect.map(Queue.take(notifications), ({ payload }) => heard(payload)))
    }).pipe(
      Effect.scoped,
      Effect.catchCause((cause) => {
        if (isLost) return Effect.void
        isLost = true
        return Effect.logWarning("The connection for notifications was lost; it is opened again", cause)
      }),
      Effect.repeat(Schedule.spaced("1 second").pipe(Schedule.jittered))
    )
  }).pipe(Effect.provide(realTime))
