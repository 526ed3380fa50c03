import { Effect, Fiber, Predicate } from "effect"
import type { Deadlines } from "./makeDeadlines.ts"
import type { Session } from "./Session.ts"

/** How long what is not wanted any more may come to an end by itself. */
const graceMillis = 10

/** Whoever has not given up by then is cut off. */
const longestMillis = 5_000

const grace = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), graceMillis)
  return Effect.sync(() => clearTimeout(timer))
})

const isEffect = (given: unknown): given is Effect.Effect<unknown> => Effect.isEffect(given)

/**
 * Has the server give up what is under way. The driver offers that only of connections on which one statement is under way at a time,
 * because on others it is somebody else's.
 */
const cancel = ({ connection }: Session): Effect.Effect<unknown> =>
  Predicate.hasProperty(connection, "cancel") && isEffect(connection.cancel)
    ? Effect.ignore(connection.cancel)
    : Effect.void

/** Waits until nothing is under way any more in a session that is nobody else's, and has the server give it up if that takes a while. */
export const stopped = Effect.fnUntraced(function* (session: Session, deadlines: Deadlines) {
  const quiet = yield* Effect.forkDetach(session.quiet, { startImmediately: true })
  if (quiet.pollUnsafe() === undefined) yield* Effect.raceFirst(Fiber.await(quiet), grace)
  if (quiet.pollUnsafe() === undefined) yield* cancel(session)
  const wait = deadlines.beginFor(longestMillis, () => {
    session.cut("What nobody waits for any more did not end in time")
    return true
  })
  yield* Effect.ensuring(
    Fiber.join(quiet),
    Effect.sync(() => deadlines.end(wait))
  )
})
