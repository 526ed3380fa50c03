import { AfterCommitHooks, CurrentCommitCount, Transaction, UnitOfWork } from "@parley/domain/kernel"
import { Cause, Context, Data, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../platform/events/Notifications.ts"
import { defectOf, orDieSqlErrors, outagesInside } from "./defects.ts"
import { type Traces, UnitOfWorkLevel } from "./UnitOfWorkLevel.ts"
import { shown } from "./workGauges.ts"
import { writeTraces } from "./writeTraces.ts"

/** Distinguishes a failure of the caller, which can also be a SqlError, from a failure of the transaction itself. */
class Rejected<E> extends Data.TaggedError("Rejected")<{ readonly error: E }> {}

/**
 * Returns the caller's failure even if the rollback failed after it: without a commit nothing is stored. A failed rollback turned that failure into a
 * defect.
 */
const refusalsStand = <A, E, E2, R>(
  effect: Effect.Effect<A, Rejected<E> | E2, R>
): Effect.Effect<A, Rejected<E> | E2, R> =>
  Effect.catchCause(effect, (cause) => {
    const refusal = cause.reasons.find(
      (reason): reason is Cause.Die => Cause.isDieReason(reason) && reason.defect instanceof Rejected
    )
    return refusal === undefined || Cause.hasInterrupts(cause)
      ? Effect.failCause(cause)
      : Effect.fail(refusal.defect as Rejected<E>)
  })

export const layer = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notifications = yield* Notifications

    const leave = Effect.fnUntraced(function* (traces: Traces) {
      yield* writeTraces(sql, traces)
      const { events } = traces
      if (events.length === 0) return
      yield* sql.afterCommit(notifications.logged(new Set(events.map(({ organizationId }) => organizationId))))
    })

    const begin = <A, E, R>(work: UnitOfWorkLevel, effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, Transaction, work).pipe(Effect.mapError((error) => new Rejected({ error })))

    const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(CurrentCommitCount, (commits) => {
        const work = new UnitOfWorkLevel()
        const afterwards: Array<Effect.Effect<void>> = []
        const { around, begun } = shown()
        return Effect.andThen(begun, begin(work, effect)).pipe(
          Effect.tap(() => leave(work.close())),
          Effect.ensuring(Effect.sync(() => work.close())),
          Effect.provideService(AfterCommitHooks, afterwards),
          sql.withTransaction,
          refusalsStand,
          Effect.catchTags({
            SqlError: (error) => Effect.die(defectOf(error)),
            Rejected: ({ error }) => Effect.fail(error)
          }),
          outagesInside,
          around,
          Effect.tap(() =>
            Effect.sync(() => {
              commits.count += 1
            })
          ),
          Effect.tap(() => Effect.forEach(afterwards, (after) => after, { discard: true }))
        )
      })

    // After the release of the savepoint, the transfer of its traces must follow immediately. Pending audit entries of
    // the outer level are written
    // before. The inner level sees them, and its rollback keeps them.
    const nested = <A, E, R>(outer: UnitOfWorkLevel, effect: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) => {
        const work = new UnitOfWorkLevel()
        const level = restore(begin(work, effect)).pipe(
          sql.withTransaction,
          Effect.catchTags({
            SqlError: (error) => Effect.die(defectOf(error)),
            Rejected: ({ error }) => Effect.fail(error)
          }),
          Effect.onExit((exit) =>
            Effect.suspend(() => {
              const { entries, events } = work.close()
              if (!Exit.isSuccess(exit)) return Effect.void
              return Effect.andThen(outer.enter(...entries), outer.append(...events))
            })
          )
        )
        return Effect.andThen(orDieSqlErrors(writeTraces(sql, outer.takeEntries())), level)
      })

    return UnitOfWork.of({
      transact: (effect) =>
        Effect.contextWith((context: Context.Context<never>) => {
          const outer = Context.getOrUndefined(context, Transaction)
          return outer instanceof UnitOfWorkLevel ? nested(outer, effect) : outermost(effect)
        })
    })
  })
)
