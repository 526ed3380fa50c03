import { type NewInboundDelivery, backgroundHealth, supervise } from "@parley/domain/platform"
import { Effect, Latch } from "effect"

/** Maximum number of batches in flight. One that waits for the disk or for locked rows does not block all later ones. */
const batchesAtOnce = 2

/** Maximum number of event loop turns that a batch waits for more calls, while each turn brings some. */
const mostTurns = 3

const mostRows = 1_000

const mostBytes = 4 * 1024 * 1024

interface Caller {
  readonly deliveries: ReadonlyArray<NewInboundDelivery>
  readonly bytes: number
  readonly answer: (exit: Effect.Effect<void>) => void
}

/** Dequeues the callers that fit into one statement, at least the first one. */
const takeBatch = (callers: Array<Caller>): ReadonlyArray<Caller> => {
  let rows = 0
  let bytes = 0
  const end = callers.findIndex((caller) => {
    rows += caller.deliveries.length
    bytes += caller.bytes
    return rows > mostRows || bytes > mostBytes
  })
  return callers.splice(0, end === -1 ? callers.length : Math.max(end, 1))
}

/**
 * Group commit. All calls that arrive while batches are in flight share the next batch. Each call returns when it is
 * stored. The fixed cost of a batch is higher than the cost of each delivery in it. So a second batch starts only
 * when as many callers wait as are in flight. Callers that were answered together then share a batch again.
 * Interrupting a caller does not withdraw its deliveries. When the scope ends, batches in flight are stored. Waiting
 * and later calls are interrupted.
 */
export const insertBatches = Effect.fnUntraced(function* (
  store: (deliveries: ReadonlyArray<NewInboundDelivery>) => Effect.Effect<void>
) {
  const callers: Array<Caller> = []
  const enough = Latch.makeUnsafe()
  let inFlight = 0
  let isOver = false

  const areEnough = () => callers.length > 0 && callers.length >= inFlight

  const look = () => (areEnough() ? enough.openUnsafe() : enough.closeUnsafe())

  const gather = Effect.gen(function* () {
    let before = 0
    for (let turn = 0; turn < mostTurns && callers.length > before; turn += 1) {
      before = callers.length
      yield* Effect.yieldNow
    }
  })

  const storeBatch = Effect.suspend(() => {
    const batch = areEnough() ? takeBatch(callers) : []
    inFlight += batch.length
    look()
    if (batch.length === 0) return Effect.void
    return Effect.onExit(store(batch.flatMap(({ deliveries }) => deliveries)), (exit) =>
      Effect.sync(() => {
        inFlight -= batch.length
        look()
        for (const { answer } of batch) answer(exit)
      })
    ).pipe(Effect.exit, Effect.uninterruptible)
  })

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      for (const { answer } of callers.splice(0)) answer(Effect.interrupt)
    })
  )
  const step = Effect.andThen(enough.await, Effect.andThen(gather, storeBatch))
  yield* supervise(yield* backgroundHealth, { name: "batches of deliveries", isEssential: true }, step).pipe(
    Effect.forkScoped,
    Effect.replicateEffect(batchesAtOnce, { discard: true })
  )

  return (deliveries: ReadonlyArray<NewInboundDelivery>) =>
    deliveries.length === 0
      ? Effect.void
      : Effect.callback<void>((answer) => {
          if (isOver) return answer(Effect.interrupt)
          const bytes = deliveries.reduce((sum, { body }) => sum + body.length, 0)
          callers.push({ deliveries, bytes, answer })
          look()
        })
})
