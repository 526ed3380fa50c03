import { Effect, Pool, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { DatabaseSession } from "./DatabaseSession.ts"
import { connectionFailure } from "./failures.ts"
import type { Availability } from "./makeAvailability.ts"
import type { Connector } from "./makeConnector.ts"
import type { Deadlines } from "./makeDeadlines.ts"
import { openTransaction } from "./OpenTransaction.ts"

const maxStatementsPerSession = 32

/** Lifetime of an idle session. */
const maxIdleTime = "60 seconds"

const noFreeSession = connectionFailure("No connection to the database was free in time", "connect")

/** Sessions with the server: shared by reads, and lent to one transaction at a time. */
export const makeSessions = Effect.fnUntraced(function* (options: {
  readonly connector: Connector
  readonly deadlines: Deadlines
  readonly availability: () => Availability
  readonly maxSessions: number
}) {
  const { availability, connector, deadlines, maxSessions } = options
  const open = new Set<DatabaseSession>()
  const ended = new Set<DatabaseSession>()
  const run = Effect.runForkWith(yield* Effect.context())

  /** Removes the session from use. It closes after its last user leaves. */
  const retire = (session: DatabaseSession) => {
    ended.add(session)
    run(Pool.invalidate(pool, session))
  }

  const acquire = Effect.gen(function* () {
    const opened = yield* Effect.tapError(connector.open("shared"), (error) => availability().unreachable(error))
    availability().reached()
    const session = new DatabaseSession(opened, deadlines, retire)
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        open.add(session)
        const end = () => {
          open.delete(session)
          session.hasEnded()
        }
        if (opened.socket.destroyed) end()
        else opened.socket.once("close", end)
      }),
      () => Effect.sync(() => void open.delete(session))
    )
    return session
  })

  const pool: Pool.Pool<DatabaseSession, SqlError.SqlError> = yield* Pool.makeWithTTL({
    acquire,
    min: 0,
    max: maxSessions,
    concurrency: maxStatementsPerSession,
    timeToLive: maxIdleTime,
    timeToLiveStrategy: "usage"
  })

  const clear = Effect.suspend(() => {
    const all = Array.from(ended)
    ended.clear()
    return Effect.forEach(all, (session) => Pool.invalidate(pool, session), { discard: true })
  })

  const take: Effect.Effect<DatabaseSession, SqlError.SqlError, Scope.Scope> = Effect.suspend(() =>
    (ended.size > 0 ? Effect.andThen(clear, Pool.get(pool)) : Pool.get(pool)).pipe(
      Effect.filterOrElse(
        (session) => !session.isOver,
        (session) => Effect.andThen(Pool.invalidate(pool, session), take)
      )
    )
  )

  /** Fails when no time is left to wait. */
  const inTime = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>) =>
    Effect.withFiber<A, SqlError.SqlError, R>((fiber) => {
      const deadline = deadlines.deadlineOf(fiber)
      if (deadlines.isSpent(deadline)) return Effect.fail(noFreeSession)
      // An uninterruptible caller also waits only for the winner of the race, not for the end of the loser.
      return Effect.raceFirst(
        Effect.interruptible(effect),
        Effect.interruptible(
          Effect.callback<never, SqlError.SqlError>((resume) => {
            const wait = deadlines.begin(deadline, () => {
              resume(Effect.fail(availability().refusal() ?? noFreeSession))
              return true
            })
            return Effect.sync(() => deadlines.end(wait))
          })
        )
      )
    })

  const unlessUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.suspend((): Effect.Effect<A, E | SqlError.SqlError, R> => {
      const refusal = availability().refusal()
      return refusal === null ? effect : Effect.fail(refusal)
    })

  const hasFreeSession = () =>
    ended.size === 0 && pool.state.waiters.size === 0 && pool.state.availableHead !== undefined

  const lease = (session: DatabaseSession) =>
    Effect.andThen(
      Pool.reserve(pool, session),
      Effect.andThen(
        Effect.suspend(() => (session.isFree ? session.exclusive : inTime(session.exclusive))),
        openTransaction(session, deadlines)
      )
    )

  return {
    /** Whether any session has just received an answer. */
    isAnswering: () => Array.from(open).some((session) => session.isAnswering),
    count: () => open.size,
    /** Retires all open sessions. */
    retireAll: () => {
      for (const session of open) retire(session)
    },
    /** Shares a session for one statement. With a free session, no timer is started. */
    share: <A, E, R>(
      use: (session: DatabaseSession) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | SqlError.SqlError, R> =>
      unlessUnavailable(
        Effect.suspend((): Effect.Effect<A, E | SqlError.SqlError, R> =>
          hasFreeSession() ? Pool.use(pool, use) : Effect.scoped(Effect.flatMap(inTime(take), use))
        )
      ),
    taken: unlessUnavailable(inTime(take)),
    /** Leases a session exclusively until the scope ends. With a free session, no timer is started. */
    leased: unlessUnavailable(
      Effect.flatMap(
        Effect.suspend(() => (hasFreeSession() ? take : inTime(take))),
        lease
      )
    )
  }
})

export type Sessions = Effect.Success<ReturnType<typeof makeSessions>>
