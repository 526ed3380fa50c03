import { Effect, Option, Semaphore } from "effect"

/** Lets a few run at once and a bounded number wait; whoever comes to a full line is refused at once. */
export const makeWaitingLine = <E>(options: {
  readonly atOnce: number
  readonly waiting: number
  readonly refuse: () => E
}) => {
  const running = Semaphore.makeUnsafe(options.atOnce)
  const room = Semaphore.makeUnsafe(options.atOnce + options.waiting)
  return <A, E2, R>(effect: Effect.Effect<A, E2, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(
      room.withPermitsIfAvailable(1)(running.withPermit(effect)),
      Option.match({ onNone: () => Effect.fail(options.refuse()), onSome: (done) => Effect.succeed(done) })
    )
}
