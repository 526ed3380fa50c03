import type { PgClient } from "@effect/sql-pg"
import { backgroundHealth, supervise } from "@parley/domain"
import { Effect, Queue } from "effect"
import { driverFailuresDie } from "../../kernel/defects.ts"
import { realTime } from "../../kernel/realTime.ts"

/** The channel by which processes on one database notify each other of new events, opened lanes and free shards. */
export const channel = "parley_events"

/** What to do with notifications. */
export interface Hearing {
  readonly heard: (payload: string) => void
  /** Listening has begun, or begun again: earlier notifications may have been missed. */
  readonly restarted: () => void
}

/** Without it, every work polls once a second. */
const part = { name: "notifications of other processes", isEssential: false }

/**
 * Listens to other processes, over a connection of its own that no request ever waits for, and connects again whenever
 * that is lost.
 */
export const listenToOthers = (listen: PgClient.PgClient["listen"], { heard, restarted }: Hearing) =>
  Effect.flatMap(backgroundHealth, (health) => {
    const session = Effect.gen(function* () {
      const notifications = yield* listen(channel)
      yield* health.succeeded(part)
      restarted()
      return yield* Effect.forever(Effect.map(Queue.take(notifications), ({ payload }) => heard(payload)))
    })
    return supervise(health, part, driverFailuresDie(Effect.scoped(session)))
  }).pipe(Effect.provide(realTime))
