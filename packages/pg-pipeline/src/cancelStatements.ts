import { Effect, Fiber, Predicate } from "effect"
import type { DatabaseSession } from "./DatabaseSession.ts"
import type { Deadlines } from "./makeDeadlines.ts"

/** Time, in milliseconds, for unwanted statements to end without a cancel. */
const graceMillis = 10

/** Time, in milliseconds, after which the session is cut. */
const maxMillis = 5_000

const grace = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), graceMillis)
  return Effect.sync(() => clearTimeout(timer))
})

const isEffect = (given: unknown): given is Effect.Effect<unknown> => Effect.isEffect(given)

/**
 * Cancels the statement in flight. The driver supports this only on connections with one statement at a time. On shared ones the statement can belong
 * to another caller.
 */
const cancel = ({ connection }: DatabaseSession): Effect.Effect<unknown> =>
  Predicate.hasProperty(connection, "cancel") && isEffect(connection.cancel)
    ? Effect.ignore(connection.cancel)
    : Effect.void

/** Waits until an exclusively held session is idle, and cancels its statements after a short time. */
export const cancelStatements = Effect.fnUntraced(function* (session: DatabaseSession, deadlines: Deadlines) {
  const quiet = yield* Effect.forkDetach(session.quiet, { startImmediately: true })
  if (quiet.pollUnsafe() === undefined) yield* Effect.raceFirst(Fiber.await(quiet), grace)
  if (quiet.pollUnsafe() === undefined) yield* cancel(session)
  const wait = deadlines.beginFor(maxMillis, () => {
    session.cut("A cancelled statement did not end in time")
    return true
  })
  yield* Effect.ensuring(
    Fiber.join(quiet),
    Effect.sync(() => deadlines.end(wait))
  )
})
