import { Transaction, UnitOfWork } from "@parley/domain"
import { Context, Data, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { logEvents } from "./logEvents.ts"
import { Work } from "./Work.ts"

/** Tells a failure of the caller, which may be a SqlError too, from a failure of the transaction itself. */
class Rejected<E> extends Data.TaggedError("Rejected")<{ readonly error: E }> {}

export const layer = Layer.effect(
  UnitOfWork,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const begin = <A, E, R>(work: Work, effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, Transaction, work).pipe(Effect.mapError((error) => new Rejected({ error })))

    const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const work = new Work()
        return begin(work, effect).pipe(
          Effect.tap(() => logEvents(sql, work.close())),
          Effect.ensuring(Effect.sync(() => work.close())),
          sql.withTransaction,
          Effect.catchTags({ SqlError: Effect.die, Rejected: ({ error }) => Effect.fail(error) })
        )
      })

    // Once the savepoint is released, nothing may come between it and the hand-over of its events.
    const nested = <A, E, R>(outer: Work, effect: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) => {
        const work = new Work()
        return restore(begin(work, effect)).pipe(
          sql.withTransaction,
          Effect.catchTags({ SqlError: Effect.die, Rejected: ({ error }) => Effect.fail(error) }),
          Effect.onExit((exit) =>
            Effect.suspend(() => {
              const events = work.close()
              return Exit.isSuccess(exit) ? outer.append(...events) : Effect.void
            })
          )
        )
      })

    return UnitOfWork.of({
      transact: (effect) =>
        Effect.contextWith((context: Context.Context<never>) => {
          const outer = Context.getOrUndefined(context, Transaction)
          return outer instanceof Work ? nested(outer, effect) : outermost(effect)
        })
    })
  })
)
