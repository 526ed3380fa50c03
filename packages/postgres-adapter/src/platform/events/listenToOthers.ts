import type { PgClient } from "@effect/sql-pg"
import { backgroundHealth, supervise } from "@parley/domain/platform"
import { Effect, Queue } from "effect"
import { orDieSqlErrors } from "../../kernel/defects.ts"
import { realTime } from "../../kernel/realTime.ts"

/** Channel for processes on one database to notify each other of new events, opened lanes and free shards. */
export const channel = "parley_events"

/** Handlers of notifications. */
export interface Hearing {
  readonly heard: (payload: string) => void
  /** Called when listening starts or restarts. Earlier notifications can be lost. */
  readonly restarted: () => void
}

/** Without it, every task polls once a second. */
const part = { name: "notifications of other processes", isEssential: false }

/** Listens to other processes over a dedicated connection without waiting requests. Reconnects after each loss. */
export const listenToOthers = (listen: PgClient.PgClient["listen"], { heard, restarted }: Hearing) =>
  Effect.flatMap(backgroundHealth, (health) => {
    const session = Effect.gen(function* () {
      const notifications = yield* listen(channel)
      yield* health.succeeded(part)
      restarted()
      return yield* Effect.forever(Effect.map(Queue.take(notifications), ({ payload }) => heard(payload)))
    })
    return supervise(health, part, orDieSqlErrors(Effect.scoped(session)))
  }).pipe(Effect.provide(realTime))
