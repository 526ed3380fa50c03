import { Clock, Deferred, Effect } from "effect"
import type { Worker } from "node:cluster"
import { ProcessFailed } from "../Failure.ts"
import { openChannel } from "./Channel.ts"
import type { Message } from "./Message.ts"
import type { Post } from "./Post.ts"
import { restartPause } from "./restartPause.ts"
import { endProcess, startProcess } from "./startProcess.ts"
import { type Place, type Supervision, watching } from "./Supervision.ts"

/** What is done while several processes run. */
interface Steps<E, R> {
  /** Whether the process may be looked in on: the metrics of all, and whether one of each role is ready. */
  readonly watched: (supervision: Supervision) => Effect.Effect<void, E, R>
  /** Once all of them do what they are there for. */
  readonly ready: Effect.Effect<void>
}

/** A process that has just ended hears nothing any more. */
const send = (worker: Worker, message: Message) => {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** For how long a process has time to say its metrics. */
const patience = "1 second"

/** Runs whoever has the place until it ends. */
const fill = Effect.fnUntraced(
  function* (place: Place, metrics: Effect.Effect<string>, onReady: Effect.Effect<void>) {
    const started = yield* Effect.acquireRelease(startProcess(place.post), endProcess)
    const { worker } = started
    place.channel = yield* openChannel(
      { send: (message) => send(worker, message), onMessage: (hear) => worker.on("message", hear) },
      metrics,
      patience
    )
    const getReady = Effect.andThen(
      place.channel.ready,
      Effect.suspend(() => {
        place.isReady = true
        return onReady
      })
    )
    yield* Effect.forkScoped(getReady)
    return yield* started.ended
  },
  (effect, place) =>
    Effect.ensuring(
      Effect.scoped(effect),
      Effect.sync(() => {
        place.channel = null
        place.isReady = false
      })
    )
)

/**
 * Runs these processes side by side, and starts those anew that end. The first of them prepares what all need, so the others wait until it is ready;
 * one that ends before all were ready ends them all. Told to stop, it tells them, and waits until they have ended.
 */
export const supervise = Effect.fnUntraced(function* <E, R>(
  posts: ReadonlyArray<Post>,
  { ready, watched }: Steps<E, R>
) {
  const places = posts.map((post): Place => ({ post, channel: null, isReady: false, restarts: 0 }))
  const supervision = watching(places)
  const [prepared, complete] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const onReady = Effect.suspend(() =>
    Effect.andThen(
      Deferred.succeed(prepared, undefined),
      places.every(({ isReady }) => isReady) ? Deferred.succeed(complete, undefined) : Effect.void
    )
  )

  const keep = Effect.fnUntraced(function* (place: Place, index: number) {
    const { name } = place.post
    if (index > 0) yield* Deferred.await(prepared)
    let pause = 0
    while (true) {
      const startedAt = yield* Clock.currentTimeMillis
      const how = yield* Effect.catchTag(fill(place, supervision.metrics, onReady), "NotStarted", ({ message }) =>
        Effect.as(Effect.logWarning(`The process ${name}: ${message}`), { code: null, signal: null })
      )
      if (!(yield* Deferred.isDone(complete))) return yield* new ProcessFailed({ name, exitCode: how.code || 1 })
      pause = restartPause(pause, (yield* Clock.currentTimeMillis) - startedAt)
      yield* Effect.logWarning(`The process ${name} has ended; another one takes its place.`, { ...how, pause })
      place.restarts++
      yield* Effect.sleep(pause)
    }
  })

  yield* watched(supervision)
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(complete), ready))
  return yield* Effect.forEach(places, keep, { concurrency: "unbounded", discard: true })
}, Effect.scoped)
