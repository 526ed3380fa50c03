import { Clock, Data, Deferred, Effect } from "effect"
import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import { ProcessFailed } from "../Failure.ts"
import { type Message, openChannel } from "./Channel.ts"
import { type Post, postVariable } from "./Post.ts"
import { type Place, type Supervision, watching } from "./Supervision.ts"

/** Lifetime in milliseconds after which a start counts as successful. */
const steadyMillis = 10_000

const longestMillis = 30_000

/** Restart delay in milliseconds: none after a long life, then one second, doubled each time. */
export const restartPause = (before: number, livedMillis: number): number =>
  livedMillis >= steadyMillis ? 0 : Math.min(longestMillis, before === 0 ? 1_000 : before * 2)

export interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** Error when the system cannot start a process: too many processes, too many open files, or too little memory. */
export class NotStarted extends Data.TaggedError("NotStarted")<{ readonly cause: unknown }> {
  override get message() {
    return `it could not be started (${String(this.cause)})`
  }
}

/** Starts the process of a slot. A late start failure is reported as the end of the process. */
const startProcess = Effect.fnUntraced(function* (post: Post) {
  const ended = yield* Deferred.make<End, NotStarted>()
  const worker = yield* Effect.try({
    try: () => cluster.fork({ [postVariable]: post.name }),
    catch: (cause) => new NotStarted({ cause })
  })
  worker.once("exit", (code, signal) => Deferred.doneUnsafe(ended, Effect.succeed({ code, signal })))
  // A running process can also miss a signal, which does not end it.
  worker.on("error", (cause) => {
    if (worker.process.pid === undefined) Deferred.doneUnsafe(ended, Effect.fail(new NotStarted({ cause })))
  })
  return { worker, ended: Deferred.await(ended) }
})

type Started = Effect.Success<ReturnType<typeof startProcess>>

/** Stops a process and waits for its end. */
const endProcess = ({ ended, worker }: Started) =>
  Effect.andThen(
    // A process that never started gets no signal, because some systems would signal the whole group.
    Effect.sync(() => worker.process.pid === undefined || worker.process.kill("SIGTERM")),
    Effect.ignore(ended)
  )

/** Hooks while several processes run. */
interface Steps<E, R> {
  /** Exposes the combined metrics and the readiness of each role. */
  readonly watched: (supervision: Supervision) => Effect.Effect<void, E, R>
  /** Runs when all processes are ready. */
  readonly ready: Effect.Effect<void>
}

/** Sends a message. Ignores a process that just ended. */
const send = (worker: Worker, message: Message) => {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** Timeout for the metrics of a process. */
const patience = "1 second"

/** Runs the process of a slot until it ends. */
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
 * Runs the processes in parallel and restarts processes that end. The first prepares the shared resources, and the others wait until it is ready.
 * An end before all are ready ends all. On the stop signal, it stops all processes and waits for them.
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
      yield* Effect.logWarning(`The process ${name} has ended and is restarted.`, { ...how, pause })
      place.restarts++
      yield* Effect.sleep(pause)
    }
  })

  yield* watched(supervision)
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(complete), ready))
  return yield* Effect.forEach(places, keep, { concurrency: "unbounded", discard: true })
}, Effect.scoped)
