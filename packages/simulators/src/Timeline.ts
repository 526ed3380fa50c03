import { Clock, Effect, Latch, type Scope } from "effect"

interface Due {
  readonly at: number
  readonly run: Effect.Effect<void>
  readonly isAwaited: boolean
}

/** Simulator clock and its due tasks. The clock is real time with an offset, or moves only on request. */
export interface Timeline {
  readonly now: () => number
  readonly after: (millis: number, run: Effect.Effect<void>) => void
  /** As `after`, for a task that `pending` does not count, because it is days away. */
  readonly daysAfter: (days: number, run: Effect.Effect<void>) => void
  readonly advance: (millis: number) => void
  readonly pending: () => number
  /** Whether something is due that has not happened yet. */
  readonly isDue: () => boolean
}

const placeOf = (queue: ReadonlyArray<Due>, at: number): number => {
  let low = 0
  let high = queue.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((queue[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** A timeline; without a start it follows the clock. */
export const makeTimeline = (
  clock: Clock.Clock,
  startAt: number | undefined
): Effect.Effect<Timeline, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const woken = yield* Latch.make(false)
    const queue: Array<Due> = []
    let lead = 0
    const now = () => (startAt ?? clock.currentTimeMillisUnsafe()) + lead

    const untilDue = Effect.suspend(() => {
      const [next] = queue
      if (next === undefined || startAt !== undefined) return woken.await
      return Effect.timeoutOrElse(woken.await, { duration: Math.max(0, next.at - now()), orElse: () => Effect.void })
    })

    const runDue = Effect.suspend(() => {
      woken.closeUnsafe()
      const count = placeOf(queue, now())
      return Effect.forEach(queue.splice(0, count), ({ run }) => run, { discard: true })
    })

    yield* untilDue.pipe(
      Effect.andThen(runDue),
      Effect.forever,
      Effect.provideService(Clock.Clock, clock),
      Effect.forkIn(scope)
    )

    const schedule = (due: Due) => {
      const place = placeOf(queue, due.at)
      queue.splice(place, 0, due)
      if (place === 0) woken.openUnsafe()
    }

    return {
      now,
      after: (millis, run) => schedule({ at: now() + millis, run, isAwaited: true }),
      daysAfter: (days, run) => schedule({ at: now() + days * 86_400_000, run, isAwaited: false }),
      advance: (millis) => {
        lead += millis
        woken.openUnsafe()
      },
      pending: () => queue.filter(({ isAwaited }) => isAwaited).length,
      isDue: () => (queue[0]?.at ?? Number.POSITIVE_INFINITY) <= now()
    }
  })
