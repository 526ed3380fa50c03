import { Context, Effect, Exit, Scope, Semaphore, Tracer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { OpenTransaction } from "./OpenTransaction.ts"

/** Identifies a level: its connection and depth. */
type Place = SqlClient.TransactionConnection.Service

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A transaction, or a savepoint that can be rolled back separately. */
interface Level {
  readonly connection: OpenTransaction
  readonly depth: number
  readonly outer: Level | null
  /** Effects to run after the commit of the whole transaction. */
  readonly afterwards: Array<Effect.Effect<void>>
  /** One savepoint at a time: savepoints are rolled back in order. */
  readonly parts: Semaphore.Semaphore
  isOpen: boolean
}

const open = (connection: OpenTransaction, outer: Level | null): Level => ({
  connection,
  depth: outer === null ? 0 : outer.depth + 1,
  outer,
  afterwards: [],
  parts: Semaphore.makeUnsafe(1),
  isOpen: true
})

const isUnderWay = (level: Level | null): boolean => level === null || (level.isOpen && isUnderWay(level.outer))

const send = ({ connection }: Level, statement: string) => connection.execute(statement, [], undefined)

/**
 * Rolls back. If that fails, the connection is cut and the server rolls back. Callers see only the first failure. A second failure, raised while the
 * connection closes, would turn an outage into a defect.
 */
const undo = (level: Level, statement: string): Effect.Effect<unknown> =>
  Effect.suspend(() =>
    level.connection.isOver
      ? Effect.void
      : Effect.catch(send(level, statement), () => Effect.sync(() => level.connection.abandon("A rollback failed")))
  )

/** The native tracer exports no spans, so they would only cost time. */
const spanned = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? effect
      : Effect.withSpan(effect, "sql.transaction", { attributes: { "db.system.name": "postgresql" } })
  )

/**
 * Transactions of a client, with effects after the commit. They behave like transactions of `SqlClient`, which copies
 * all services several times for each transaction.
 */
export const makeTransactions = (
  { transactionService }: Pick<SqlClient.SqlClient, "transactionService">,
  lease: Effect.Effect<OpenTransaction, SqlError.SqlError, Scope.Scope>
) => {
  const levels = new WeakMap<Place, Level>()

  const current = (context: Context.Context<never>): Level | null => {
    const place = Context.getOrUndefined(context, transactionService)
    return place === undefined ? null : (levels.get(place) ?? null)
  }

  const inside = <A, E, R>(level: Level, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const place: Place = [level.connection, level.depth]
    levels.set(place, level)
    return Effect.provideService(effect, transactionService, place)
  }

  const ended = <A, E, R>(level: Level, effect: Effect.Effect<A, E, R>) =>
    Effect.onExitPrimitive(
      effect,
      () => {
        level.isOpen = false
        return undefined
      },
      true
    )

  /**
   * Uses the connection until the end of the effect. Its statements keep their scope. Finalizers run with the services of their acquisition, so the
   * close provides none: another merge for each finalizer would be wasted.
   */
  const holding = <A, E, R>(restore: Restore, use: (connection: OpenTransaction) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(Scope.make(), (scope) =>
      Effect.onExitPrimitive(
        Effect.flatMap(Scope.provide(restore(lease), scope), use),
        (exit) => Effect.updateContext<void, never, never, never>(Scope.close(scope, exit), Context.empty),
        true
      )
    )

  const whole = <A, E, R>(restore: Restore, effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      holding(restore, (connection) => {
        const level = open(connection, null)
        const run = Effect.onExitPrimitive(
          inside(level, restore(effect)),
          (exit): Effect.Effect<unknown, SqlError.SqlError> =>
            Exit.isSuccess(exit) ? connection.commit() : undo(level, "ROLLBACK"),
          true
        )
        return Effect.map(ended(level, Effect.andThen(send(level, "BEGIN"), run)), (value) => ({ level, value }))
      }),
      ({ level, value }) =>
        level.afterwards.length === 0
          ? Effect.succeed(value)
          : Effect.as(
              Effect.forEach(level.afterwards, (after) => after, { discard: true }),
              value
            )
    )

  const part = <A, E, R>(restore: Restore, outer: Level, effect: Effect.Effect<A, E, R>) =>
    outer.parts.withPermit(
      Effect.suspend(() => {
        const level = open(outer.connection, outer)
        const name = `effect_sql_${level.depth}`
        const run = Effect.andThen(
          send(level, `SAVEPOINT ${name}`),
          Effect.onExitPrimitive(
            inside(level, restore(effect)),
            (exit): Effect.Effect<unknown, SqlError.SqlError> => {
              const release = `RELEASE SAVEPOINT ${name}`
              return Exit.isSuccess(exit)
                ? send(level, release)
                : Effect.andThen(undo(level, `ROLLBACK TO SAVEPOINT ${name}`), undo(level, release))
            },
            true
          )
        )
        return Effect.map(ended(level, run), (value) => {
          outer.afterwards.push(...level.afterwards)
          return value
        })
      })
    )

  return {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
      spanned(
        Effect.uninterruptibleMask((restore) =>
          Effect.withFiber<A, E | SqlError.SqlError, R>(({ context }) => {
            const outer = current(context)
            return outer === null ? whole(restore, effect) : part(restore, outer, effect)
          })
        )
      ),
    /**
     * Runs the effect after the commit, outside of the transaction. Services that were provided inside are still available, except the transaction.
     * Runs immediately outside of any transaction.
     */
    afterCommit: <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
      Effect.withFiber(({ context }) => {
        const level = current(context)
        const guarded = Effect.ignoreCause(effect, {
          log: "Unhandled",
          message: "An effect after a commit failed"
        })
        if (level === null) return guarded
        if (!isUnderWay(level)) return Effect.die(new Error("The transaction has ended."))
        level.afterwards.push(guarded as Effect.Effect<void>)
        return Effect.void
      })
  }
}
