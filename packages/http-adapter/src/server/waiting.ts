import { DateTime, Effect } from "effect"
import { goingOn } from "./goingOn.ts"

/** Does the work, then waits for more; what fails is tried again. */
export const forever = <E, R, R2>(
  name: string,
  lookMillis: number,
  work: Effect.Effect<void, E, R>,
  wait: Effect.Effect<void, never, R2>,
  lanes = 1
) =>
  work.pipe(
    goingOn(`${name} failed; it goes on`, lookMillis),
    Effect.andThen(wait),
    Effect.forever,
    Effect.forkScoped,
    Effect.replicateEffect(lanes, { discard: true })
  )

/** Waits until there is news, and not for longer than a while: what another node has left behind makes no news. */
export const newsOrWhile = (news: Effect.Effect<void>, lookMillis: number) =>
  Effect.timeoutOrElse(
    Effect.catchCause(news, () => Effect.never),
    { duration: lookMillis, orElse: () => Effect.void }
  )

/** Answers at the latest when something that was put off is due. */
export const untilDue = Effect.fnUntraced(function* (nextDue: Effect.Effect<DateTime.Utc | null>, lookMillis: number) {
  const due = yield* Effect.catchCause(nextDue, () => Effect.succeed(null))
  if (due === null) return lookMillis
  const wait = DateTime.toEpochMillis(due) - DateTime.toEpochMillis(yield* DateTime.now)
  return Math.min(lookMillis, Math.max(wait, 20))
})
