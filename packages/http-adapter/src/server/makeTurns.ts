import { LoginBusy } from "@parley/domain"
import { Effect, Semaphore } from "effect"

/** Lets so many run at once and so many wait for their turn; whoever comes then is told to come again. */
export const makeTurns = ({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) => {
  const turns = Semaphore.makeUnsafe(atOnce)
  let present = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | LoginBusy, R> => {
      if (present >= atOnce + waiting) return Effect.fail(new LoginBusy({ retryAfterSeconds: 2 }))
      present += 1
      return Effect.ensuring(
        turns.withPermits(1)(effect),
        Effect.sync(() => {
          present -= 1
        })
      )
    })
}
