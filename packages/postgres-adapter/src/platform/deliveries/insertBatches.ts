import { type NewInboundDelivery, backgroundHealth, supervise } from "@parley/domain"
import { Effect, Latch } from "effect"

/** How many batches are in flight at once: one that waits long for the disk or for somebody's rows does not hold up all that come after it. */
const batchesAtOnce = 2

/** For how many turns of the event loop a batch waits for more, as long as each turn brings some. */
const mostTurns = 3

const mostRows = 1_000

const mostBytes = 4 * 1024 * 1024

interface Caller {
  readonly deliveries: ReadonlyArray<NewInboundDelivery>
  readonly bytes: number
  readonly answer: (exit: Effect.Effect<void>) => void
}

/** Dequeues the callers that fit into one statement; the first one always does. */
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
 * Group commit: all calls that arrive while batches are in flight share the next one, and each returns when that is stored. A batch costs more by
 * itself than each delivery in it, so a second one begins only when as many wait as are in flight, and whoever was answered together and
 * comes back together goes into one.
 * Interrupting a caller does not withdraw its deliveries. When the scope ends, batches in flight are stored, and calls that still
 * wait or come later are interrupted.
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
